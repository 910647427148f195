import type { Language, QuestionWords, TenseWords, TimeWords, Words } from '../../language.js';
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
};

const said =
  'said|say|told|tell|suggest\\w*|recommend\\w*|mention\\w*|provid\\w*|gave|give|list\\w*|describ\\w*|explain\\w*|propos\\w*|wrote|write|advis\\w*';

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
    replies: '\\byour (?:suggestion|recommendation|answer|advice|list|explanation|reply)s?\\b',
    // "Can you tell me where I live" does not ask for the assistant's words; only the past tense does.
    reply: [
      `\\b(?:did|have|had) you (?:ever |already |just )?(?:${said}|answer\\w*|call\\w*|name\\w*|warn\\w*|teach|taught)\\b`,
      "\\byou(?:'ve| have| had)? (?:said|told|suggested|recommended|mentioned|provided|gave|listed|described|explained|proposed|wrote|advised)\\b",
    ].join('|'),
    advice: '\\bhow (?:can|do|should|could|to)\\b',
    user: "(?<![\\p{L}])(?:i|my|mine|me|myself|i'm|i've|i'd)(?![\\p{L}])",
  },
  second:
    /(?:,\s*|\s)and\s+(?=(?:(?:in|at|on|from|to|for|by|with|of|since)\s+)?(?:who|whose|what|which|where|when|why|how|did|do|does|is|are|was|were|has|have|had)(?!\p{L}))/iu,
  asking:
    /(?<!\p{L})(?:who|whose|what|which|where|when|why|how|did|do|does|is|are|was|were|has|have|had|can|could|will|would)(?!\p{L})/iu,
};

export const english: Language = { code: 'en', script: 'latin', words, time, questions, answers, facts };
