import type { Language, NameWords, QuestionWords, TenseWords, TimeWords, Words } from '../../language.js';
import { answers } from './answers.js';
import { facts } from './facts.js';

const ordinal = '(?:st|nd|rd|th)?';
const ofYear = '(?:, ?| )(?:of |in )?(?:{year}|{yearWord})';

const tense: TenseWords = {
  coming:
    "(?:(?<!\\d ?)am|is|are|(?<!to )be|being|gets|getting|isn't|aren't|(?:it|he|she|that|there|here|what|who)'s|[a-z]+'(?:m|re))(?: (?:not|all|also|still|now|already|just|officially|finally|so|very|really)){0,2}(?: [a-z]+ing)?(?: (?:[a-z]+ed|set|held|done|taken))?" +
    "|will|won't|shall|[a-z]+'ll|going to|gonna|about to|let's|next|upcoming|due|ha(?:ve|s)|[a-z]+'ve got|needs?|wants?|plans?|hopes?|must|should|can|could|might|would" +
    '|leaves|starts|begins|ends|opens|closes|arrives|departs|comes|goes|flies|moves|expires|happens|launches|takes|meets|turns|(?<=(?:i|we|you|they) )(?:leave|start|begin|open|arrive|come|go|get|fly|move|take|meet|turn)',
  past:
    "was|were|wasn't|weren't|did|didn't|had|hadn't|[a-z]+'ve(?! got)|used to|remember [a-z]+ing|ago|yesterday|recently|ha(?:ve|s) (?:(?:already|just|also|never|recently|not) )?(?:been|had|gone|seen|done|made|taken|[a-z]+ed)|been|gone|seen|went|came|became|began|bought|brought|broke|built|caught|chose|drank|drew|drove|ate|fell|felt|flew|fought|forgot|found|gave|(?<!ve |has )got|grew|heard|held|kept|knew|left|lent|lost|made|met|paid|ran|rode|rang|rose|said|sang|sat|saw|sent|shot|slept|sold|spent|stole|spoke|stood|swam|taught|threw|thought|told|took|understood|woke|won|wore|wrote" +
    '|(?!(?:fred|shed|sled|hundred|naked|sacred|hatred|interested|worried|scared|married|tired|excited|thrilled|scheduled|supposed|expected)\\b)[a-z]+[^e\\P{L}]ed',
  again: 'every|each|usually|always|normally|typically|generally|often|whenever|annual(?:ly)?|weekly|monthly|yearly',
  aim: 'for(?: the)?',
};

export const time: TimeWords = {
  months: [
    'january|jan\\.?',
    'february|feb\\.?',
    'march|mar\\.?',
    'april|apr\\.?',
    'may',
    'june|jun\\.?',
    'july|jul\\.?',
    'august|aug\\.?',
    'september|sept?\\.?',
    'october|oct\\.?',
    'november|nov\\.?',
    'december|dec\\.?',
  ],
  weekdays: [
    'monday|mon\\.?',
    'tuesday|tues?\\.?',
    'wednesday|wed\\.?',
    'thursday|thu(?:rs?)?\\.?',
    'friday|fri\\.?',
    'saturday|sat\\.?',
    'sunday|sun\\.?',
  ],
  seasons: ['spring', 'summer', 'autumn|fall', 'winter'],
  quarters: ['1|1st|first', '2|2nd|second', '3|3rd|third', '4|4th|fourth'],
  units: {
    day: 'days?',
    week: 'weeks?',
    weekend: 'weekends?',
    month: 'months?',
    quarter: 'quarters?',
    year: 'years?',
  },
  numbers: ['one|an?', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'],
  few: 'a few|few|several|(?:a )?couple(?: of)?|some|the other',
  dayWords: {
    '-2': 'the day before yesterday',
    '-1': 'yesterday|last night',
    '0': 'today|tonight|this (?:morning|afternoon|evening)',
    '1': 'tomorrow',
    '2': 'the day after tomorrow',
  },
  weekWords: { '-1': 'last week', '0': 'this week', '1': 'next week' },
  yearWords: { '-2': 'the year before last', '-1': 'last year', '0': 'this year', '1': 'next year' },
  careful: 'jan|feb|march|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun',
  capitalMonths: { '2': 'March', '4': 'May' },
  prepositions:
    '(?:in|on|since|until|till?|by|during|before|after|from|of|for|around|early|late|mid|between|through) |mid-|in early |in late ',
  seasonPrepositions: '(?:in|during|over|since|until|by)(?: the| early| late)? ',
  phrases: {
    date: [
      `(?:{weekday},? )?{month} (?:the )?{day}${ordinal}(?:${ofYear})?`,
      `(?:{weekday},? (?:the )?)?{day}${ordinal}(?: of)? {month}(?:${ofYear})?`,
    ],
    month: ['{plainMonth}', '{prep}{month}', `{month}${ofYear}`, '{yearWord},?(?: in)? {month}'],
    season: ['{seasonPrep}{season}', `{season}${ofYear}`, '{yearWord},?(?: in(?: the)?)? {season}'],
    quarter: ['{prep}q{quarter}', `q{quarter}(?:${ofYear})`, `{quarter} quarter${ofYear}`],
    year: ['{prep}{year}'],
    day: ['{dayWord}'],
    weekday: [
      '{plainWeekday}',
      '{prep}{weekday}',
      '{plainWeekday},?(?: of)? {weekWord}',
      '{weekWord},?(?: on)? {weekday}',
    ],
    beforeLast: ['the {period} before last'],
    previous: [
      '(?:the )?(?:last|previous) {period}',
      'this past {period}',
      'the past (?=week-?end|[mtwf]\\w+day|s\\w+day){period}',
    ],
    current: ['this {plainPeriod}'],
    next: ['(?:the )?(?:next|coming|upcoming) {period}'],
    ago: ['{count} {unit} (?:ago|back)', '(?=the other day){few} {unit}'],
    past: ['(?:the )?(?:last|past) {count} {unit}', 'the past (?!weekend){unit}'],
    ahead: ['in (?!an? ){count} {unit}', '{count} {unit} from now'],
  },
  limits: {
    before: '(?:before|until|till?|prior to)(?: the| early| late)? ',
    after: 'after(?: the)? ',
    since: 'since(?: the| early| late)? ',
  },
  range: {
    from: '(?:from|between) ',
    to: '(?:to|and|until|till|through) ',
    article: 'the',
    dayArticle: 'the',
    ordinal: 'st|nd|rd|th',
  },
  dates: {
    monthNames: 'January February March April May June July August September October November December',
    lead: 'on|the',
    weekday: '[a-z]+day',
    beforeDay: 'the',
    ordinal: 'st|nd|rd|th',
    beforeMonth: 'of',
    beforeYear: 'of|in',
  },
  asksWhen: new RegExp(
    [
      // "When I was in Paris, what did I eat" does not ask for a time.
      "(?:^|[.!?;:]\\s*|^[a-z' ]{1,20},\\s*)(?:and |so |but |since |until |about |roughly )?when(?:'s|s)?\\b(?! (?:i|i'm|you|he|she|it|we|they|my|your|our|the)\\b)",
      '\\b(?:know|remember|recall|remind me(?: of)?|tell me|ask(?:ed)?|wonder|exactly|say|said|mention(?:ed)?|figure out|find out|since|until|by|and) when\\b',
      '\\bwhen (?:was|were|did|is|are|will|does|do|has|have) [^,]*\\?$',
      '\\bwhen\\s*\\?',
      '\\b(?:what|which) (?:exact |calendar )?(?:dates?|days?|time|months?|years?|weeks?|weekday|season)\\b(?! of (?:day|food))',
      '\\bthe (?:exact )?date (?:of|when|that|on which)\\b',
      '\\bhow (?:long ago|long since|recently|long has it been|long is it since)\\b',
      '\\bhow many (?:days|weeks|months|years) (?:ago|since|before|after|between|passed|have passed|had passed|has it been|elapsed)\\b',
    ].join('|'),
  ),
  tense,
};

const vowel = /[aeiouy]/;

/**
 * A light English stem: plural, -ed, -ing, -ly and doubled consonants, nothing that changes a word's meaning. Words
 * with letters other than a-z are unchanged. Index and query use the same stem, so it need not be a real word.
 */
export function stemEnglish(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  return dropFinalE(dropEnding(dropPlural(word)));
}

function dropPlural(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|us|is)$/.test(word) || !word.endsWith('s')) return word;
  if (/(?:ch|sh|x|z|ss)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

function dropEnding(word: string): string {
  const base = word.endsWith('ly') && word.length > 5 ? word.slice(0, -2) : word;
  for (const ending of ['ing', 'ed']) {
    if (!base.endsWith(ending)) continue;
    const stem = base.slice(0, -ending.length);
    if (stem.length < 3 || !vowel.test(stem)) return base;
    if (ending === 'ed' && stem.endsWith('i')) return `${stem.slice(0, -1)}y`;
    return /([bdfgklmnprtv])\1$/.test(stem) && !/(?:ll|ss)$/.test(stem) ? stem.slice(0, -1) : stem;
  }
  return base;
}

/** "bake" and "baked" must get the same stem; final y and i likewise. */
function dropFinalE(word: string): string {
  if (word.length > 3 && word.endsWith('e') && !word.endsWith('ee')) return word.slice(0, -1);
  return word.length > 3 && word.endsWith('y') ? `${word.slice(0, -1)}i` : word;
}

const names: NameWords = {
  ordinary: `
about absolutely actually after again ago all almost already also although always amazing another any anyone anything
anyway are as ask asked at awesome back bad be because been before being best better between big both but by bye call came
can check cheers cheer come congrats congratulations cool could day days dear definitely did do does doing done down each
either else enjoy enough especially even ever every everyone everything exactly excited excuse explain feel few finally find
first following for found from fun funny generally get getting give glad go going gonna good got gotta great guess guys had
haha happy has hate have having hello help helping her here hey hi his honestly hope hopefully how however huge i if im
impressive in indeed instead interesting is it just keep kind know last lately later learn learned less let lets like listen
little lol long look looking looks lots love loved loving made mainly make making many maybe me mean meanwhile meet met might
mom more morning most mostly much must my neat need never next nice night no nope not nothing now obviously of off oh ok
okay old on once one only oops or original other our out over own perfect perhaps please plus pretty probably proud put
quick quite rather read really recently regarding remember right sad said same saw say see seems send sent several shall
share she should show similar since so some someone something sometimes soon sorry sounds speaking start started still stop
stuff such super sure take taking talk tell than thank thanks that the their then there these they thing things think this
those though thought through time tip tips to today together tomorrow tonight too totally tried truly try trying under
unfortunately until up us use used using usually very via wait wanna want wanted was way we week weekend welcome well went
were what when where whether which while who why will wish with without wonderful work working would wow yay yeah year years
yep yes yesterday yet yo you your yup anytime aww whoa woah woohoo yikes ugh hmm
across additional annual around based becomes become behind business consider consult contact create during employs ensure
explore expect average insert follow join leave main near offers provides research specific utilizes uses visit visiting
watch within general provide increase reorder import unique customer shipping basic premium estimated personal common various
allow allows add avoid book bring build buy choose compare cook discover focus grab hire hold host include includes install invest
list move offer open opt order pack pick plan post prepare promote purchase reach reserve review run schedule search select set
sign skip spend stay store support switch teach test track travel turn utilize verify view write examples official essential hard
monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october
november december mon tue wed thu fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec
analyze answer click compose define describe discuss draft enter evaluate generate identify imagine mention outline press
recommend rewrite simulate suggest summarize tap translate type
step question answer note example important warning tip summary introduction conclusion overview section part option key
`,
  inside: 'of the and for in on to a an e della di da van',
  inTitles: 'with from by at or as vs',
  articles: 'the a an',
  alwaysCapital: 'i',
  links: { of: 'the a an', della: '' },
  peoples: 'ican|asian|european|ese|ish|(?:ea|we)stern',
  compass: '(?:north|south|east|west|central)(?:ern)?',
  ofPlaces: '[ei]ans?',
  compounds: String.raw`based|style|free|friendly|like|only|specific|\p{L}+(?:ing|ed)`,
  openerEndings: 'ing|ed|ly|ful|ous|ive|able',
  joining: 'for(?: the)?',
  amounts: 'st|nd|rd|th| ?(?:oz|ml|cl|g|kg|lbs?|cups?|tbsp|tsp|(?:table|tea)spoons?|ounces?|grams?)(?: of)?',
  describing: 'ural|ional|ical|ental',
  also: 'and',
  afterOwner: '(?:and|at|to|for)(?: the| a)?',
  abbreviated: 'St|Mt',
  streets: 'St|Street|Ave|Avenue|Rd|Road|Dr|Drive|Blvd|Boulevard|Ln|Lane|Pl|Place|Way|Hwy|Highway',
  firstHalf: String.raw`[Tt]he(?: (?:of )?\p{Lu}[\p{L}\p{N}.'’-]*){1,4} (?:and|&)`,
  author: 'by',
};

/**
 * Topics by whole words and two-word phrases. A word is listed only if it hardly ever means something else: "rest",
 * "ts", "test", "server", "budget", "flight", "react" or "container" alone do not determine a topic, and "As an AI language
 * model" is how an assistant refuses.
 */
const topics: Readonly<Record<string, string>> = {
  python: 'python, pytest, pandas, numpy, django, fastapi, flask app, from flask, import flask, pip install',
  javascript:
    'javascript, typescript, node.js, nodejs, npm install, react.js, reactjs, react native, react app, react component, react components, react hook, react hooks, vue.js, deno',
  sql: 'sql, sqlite, postgres, postgresql, mysql, database schema, sql query',
  api: 'api, apis, rest api, restful, api endpoint, graphql, openapi, json-rpc, webhook',
  mcp: 'mcp, mcp server, context protocol',
  docker: 'docker, dockerfile, kubernetes, k8s, container image, docker compose',
  testing:
    'unit test, unit tests, integration test, integration tests, test suite, test coverage, vitest, pytest, jest',
  'machine-learning':
    'machine learning, deep learning, llm, llms, neural network, language models, embeddings, chatgpt',
  frontend: 'frontend, front-end, css, html, tailwind, user interface',
  backend: 'backend, back-end, microservice, microservices, message queue',
  git: 'git commit, git rebase, github, gitlab, pull request, merge conflict',
  travel:
    'flights to, flights from, cheap flights, direct flights, book flights, my flights, our flights, my flight, our flight, a flight, return flight, flight to, flight from, hotel, itinerary, airbnb, vacation, road trip, boarding pass, sightseeing',
  cooking: 'recipe, recipes, baking, preheat, meal prep, tablespoon, simmer',
  health:
    'my doctor, your doctor, a doctor, my symptoms, your symptoms, symptoms of, medication, diagnosis, therapist, blood pressure, allergy, vitamin',
  fitness: 'workout, workouts, marathon, yoga, gym, half marathon, strength training, push-ups',
  finance:
    'budgeting, monthly budget, household budget, family budget, mortgage, savings account, invoice, tax return, stock market, credit card, retirement savings, retirement plan, retirement account, retirement fund',
  music:
    'guitar, piano, new album, debut album, studio album, first album, concert, playlist, songwriting, violin, drum',
  books: 'novel, novels, book club, audiobook, paperback, memoir',
  film: 'movie, movies, film festival, tv series, netflix, documentaries, documentary film, documentary series',
  games: 'video game, video games, board game, playstation, nintendo, dungeons',
  pets: 'puppy, kitten, my dog, my cat, veterinarian, dog food, litter box',
  family: 'my wife, my husband, my daughter, my son, my mom, my dad, my sister, my brother, grandmother, grandfather',
  career: 'job interview, resume, cover letter, job offer, got promoted, linkedin profile, salary',
  education:
    'university, homework, thesis, semester, scholarship, a lecture, lecture notes, lecture hall, exams, tough exam, final exam, entrance exam',
  home: 'new apartment, apartment hunting, landlord, renovation, furniture, kitchen cabinets, interior design',
  gardening:
    'my garden, our garden, your garden, vegetable garden, herb garden, garden bed, garden beds, garden soil, gardening, seedlings, compost, tomato plants, fertilizer',
};

export const words: Words = {
  functionWords: `
a an the this that these those there here it its itself i me my mine myself we us our ours ourselves you your yours
yourself he him his she her hers they them their theirs who whom whose which what when where why how
am is are was were be been being do does did doing done have has had having will would shall should can could may might
must ought let lets got get gets getting go goes going gone went
and or but nor so yet if then else than because as until while of at by for with about against between into through
during before after above below to from up down in out on off over under again further once
all any both each few more most other some such no not only own same too very just also ever even still already
really actually maybe perhaps please thanks thank hi hello hey okay ok yes yeah
tell told say said says saying talk talked talking mention mentioned discuss discussed remember remind know knew think
thought want wanted like need give gave make made take took come came see saw look looked find found use used
something anything everything nothing thing things stuff someone anyone everyone one ones lot lots kind sort type way
much many long often usually currently now today recently previous previously earlier last ago time times
conversation chat question answer going able
im ive id ill youre youve dont doesnt didnt isnt arent wasnt werent wont cant couldnt wouldnt shouldnt whats
`,
  scriptStem: stemEnglish,
  // The form used in questions ("did I buy") comes first. Verbs that are function words anyway (go, get, take …) and
  // forms that are more often other words (rose, saw, bit) are left out.
  irregularVerbs: `
bend bent|bite bitten|blow blew blown|break broke broken|bring brought|build built|burn burnt|buy bought|catch caught
choose chose chosen|dig dug|draw drew drawn|dream dreamt|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen
feed fed|feel felt|fight fought|fly flew flown|forget forgot forgotten|freeze froze frozen|grow grew grown|hang hung
hear heard|hide hid hidden|hold held|keep kept|lay laid|lead led|learn learnt|leave left|lend lent|lose lost|meet met
pay paid|ride rode ridden|ring rang rung|run ran|sell sold|send sent|shake shook shaken|shoot shot|sing sang sung
sink sank sunk|sit sat|sleep slept|speak spoke spoken|spend spent|spill spilt|stand stood|steal stole stolen|stick stuck
strike struck|sweep swept|swim swam swum|teach taught|tear tore torn|throw threw thrown|understand understood
wake woke woken|wear wore worn|win won|write wrote written`,
  otherNames: [
    'mother mom mum mommy mummy',
    'father dad daddy',
    'grandmother grandma granny nana',
    'grandfather grandpa granddad',
    'doctor physician',
    'child kid',
    'bike bicycle',
    'fridge refrigerator',
    'tv television',
    'film movie',
    'flat apartment',
    'holiday vacation',
    'phone telephone cellphone',
    'car automobile',
  ],
  numbers: String.raw`(?<!\p{L})(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\p{L}+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|million|half|third|quarter|dozen|once|twice)`,
  dots: {
    abbreviations: 'dr mr mrs ms prof st jr vs e.g i.e etc inc ltd co approx dept mt ft rev hon sgt capt med phil',
    beforeNumbers: 'no vol pp fig art ch tel jan feb apr jun jul aug sep sept oct nov dec',
    letters: 'I',
  },
  names,
};

const said =
  'said|say|told|tell|suggest\\w*|recommend\\w*|mention\\w*|provid\\w*|gave|give|list\\w*|describ\\w*|explain\\w*|propos\\w*|wrote|write|advis\\w*';

/** What the assistant is called, beside "you". */
const assistant = '(?:you|u|the (?:ai|bot|chat ?bot|assistant|llm)|chatgpt|gpt|claude|gemini|copilot)';

/** The beginnings of words for what an assistant does with words. */
const saying =
  '(?:say|said|tell|told|suggest|recommend|mention|provid|g[ai]ve|list|describ|explain|propos|wr[io]te|advis|answer|call|name|warn|teach|taught|quot|claim|reckon|figur|calculat|comput|estimat|draft|pitch|invent|prefer|work(?:ed)? out|c[oa]me (?:up with|down (?:on|in favou?r))|br(?:ing|ought) up|la(?:y|id) out|put forward|point(?:ed)? me|lean|think (?:i|we) should)';

const questions: QuestionWords = {
  where: /\bwhere\b|\b(?:what|which) (?:city|country|town|place|state|address|street|region|continent)\b/u,
  who: /\b(?:who|whom|whose|who's)\b|\b(?:what|which) (?:person|friend|colleague)\b/u,
  howMany:
    /\bhow (?:many|much|often|old|long|far|tall|big|large|heavy|fast)\b|\bwhat (?:number|percentage|price|age)\b/u,
  why: /\bwhy\b|\bwhat (?:reason|motivated|made)\b|\bhow come\b/u,
  yesNo:
    /^(?:(?:and|so|but|well|hey|ok|okay),? )*(?:is|are|was|were|am|do|does|did|have|has|had|can|could|will|would|should|may|might|isn't|aren't|wasn't|don't|doesn't|didn't|haven't|hasn't)\b/u,
  list: /\b(?:what|which)(?: \p{L}+){0,2} (?:are|were|have|has)\b|\b(?:list|name) (?:all|the|every|my|some)\b|\ball (?:the|my|of|his|her|their)\b|\bwhat (?:kinds?|sorts?|types?) of\b|\b(?:what|which) (?:\p{L}+ )?(?!is\b|was\b|does\b|has\b)\p{L}{3,}s (?:do|does|did|has|have|is|are|was|were)\b/u,
  past: /\bused to\b|\b(?:previous|former|original|past|earlier)(?:ly)?\b|\bin the past\b|\b(?:my|his|her|their|the|'s) (?:old|first|last)\b(?! (?:names?|languages?)\b)|\b(?:did|was|were|had) .*\bbefore\b(?! or\b)/u,
  event: /\b(?:did|was|were|had|happened|ago)\b/u,
  number: [
    String.raw`\bhow (?:much|many|long|far|often|old|big|large|tall|high|fast|heavy|deep|wide)\b`,
    String.raw`\bwhat (?:price|percentage|share|number|amount)\b|\bwhat (?:does|did|do|will|would)\b.{0,80}\b(?:cost|pay|charge)\b`,
  ].join('|'),
  person: {
    assistant: [
      '\\b(?:did|have|had|do) you\\b',
      `\\byou(?:'ve| have| had)? (?:${said})\\b`,
      '\\bremind me what you\\b',
    ].join('|'),
    // "Can you tell me where I live" does not ask for the assistant's words; only the past tense does.
    replies: [
      '\\b(?:your (?:suggestion|recommendation|answer|advice|list|explanation|reply|tip|estimate|calc|opinion|headline|draft)',
      `(?:did|have|had|were|was) ${assistant} (?:(?:ever|already|just|really) )?${saying}`,
      `(?:according to|per) ${assistant}\\b`,
      `${assistant}(?:'ve| have| had)? (?:said|told|suggested|recommended|mentioned|provided|gave|listed|described|explained|proposed|wrote|advised|warned|taught|calculated|worked out))`,
    ].join('|'),
    advice: '\\bhow (?:can|do|should|could|to)\\b',
    user: "(?<![\\p{L}])(?:i|my|mine|me|myself|i'm|i've|i'd)(?![\\p{L}])",
  },
  second:
    /(?:,\s*|\s)and\s+(?=(?:(?:in|at|on|from|to|for|by|with|of|since)\s+)?(?:who|whose|what|which|where|when|why|how|did|do|does|is|are|was|were|has|have|had)(?!\p{L}))/iu,
  asking:
    /(?<!\p{L})(?:who|whose|what|which|where|when|why|how|did|do|does|is|are|was|were|has|have|had|can|could|will|would)(?!\p{L})/iu,
};

export const english: Language = {
  code: 'en',
  script: 'latin',
  words,
  time,
  questions,
  answers,
  facts,
  topics,
  transcripts: { user: 'user you human me', assistant: 'assistant ai bot', said: 'said' },
};
