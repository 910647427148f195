import type { Ellipsis, FactWords } from '../../fact-words.js';
import { identityRules, isLasting, nameRules, placeRules, possessionRules, relationRules } from './rules/identity.js';
import { dayRules, habitRules, planRules, tasteRules } from './rules/plans.js';
import { projectRules, skillRules, workRules } from './rules/work.js';

/** The subject may be someone else: "I know a guy who moved to Berlin and got a dog". */
const others = '(?<!\\p{L})(?:who|whose|which|that|he|she|they)(?!\\p{L})|,\\s*I (?:think|believe|guess|suppose),';
/** "I would have sold it and bought another". A month has a capital. */
const supposed = `${others}|(?<!\\p{L})(?:will|would|could|should|may|might|must|wish|hope)(?!\\p{L})|'(?:ll|d)(?!\\p{L})`;
/** "I want to travel and work abroad": the second verb is a wish too, not a fact. "To Rome" is a place. */
const unfinished = `${supposed}|(?<!\\p{L})(?:to(?!\\s+\\p{Lu})|can|[Ll]et|going|[Pp]lease)(?!\\p{L})`;

const present = 'live|work|own|love|hate|speak|play|prefer|enjoy|drive|have|study|am';
const past =
  'bought|got|sold|gave|adopted|inherited|joined|quit|became|moved|relocated|started|studied|graduated|switched|turned';
const adverbs = 'finally|just|recently|already|now|currently|still|officially';
const joint = '(?:,\\s*|\\s+)(?:and|but)\\s+';

const iAm = /^(?:.{0,40}[\s,])?(?:I am|I'm)(?!\p{L})/iu;
const state =
  '(?:also\\s+)?(?:(?:severely|mildly)\\s+)?(?:allergic to|living in|based in|originally from|working (?:as|at|for)|fluent in|married to)\\s';

const ellipses: readonly Ellipsis[] = [
  ...(['I', 'We'] as const).flatMap((who): Ellipsis[] => {
    const speaker = new RegExp(`^(?:.{0,40}[\\s,])?${who}(?:'m|'re|'ve)?(?!\\p{L})`, 'iu');
    const put = `${who} `;
    return [
      {
        speaker,
        put,
        joint: after(`${joint}(?:then\\s+|later\\s+)?`, `(?:${present})\\s`),
        unless: new RegExp(unfinished, 'u'),
      },
      {
        speaker,
        put,
        joint: after(`(?:${joint}|,\\s*)(?:then\\s+|later\\s+)?`, `(?:${past})\\s`),
        unless: new RegExp(supposed, 'u'),
      },
      // A present fact counts, even after a wish.
      { speaker, put, joint: after(`(?:${joint}|,\\s*)`, `now\\s+(?:${present})\\s`) },
    ];
  }),
  {
    speaker: /^(?:.{0,40}[\s,])?I(?:'m|'ve)?(?!\p{L})/iu,
    joint: after(`(?:${joint}|,\\s*)`, '(?:now|currently)\\s+(?:living|based|working)\\s'),
    put: "I'm ",
  },
  { speaker: iAm, joint: after(joint, state), put: "I'm ", unless: new RegExp(others, 'u') },
  // "I'm from Graz, living in Linz", but not "I'm visiting Anna, living in Linz".
  { speaker: iAm, joint: after(',\\s*', state), put: "I'm ", unless: /(?:am|'m)\s+(?:\p{L}+ly\s+)?\p{L}+ing\s/u },
];

function after(words: string, next: string): RegExp {
  return new RegExp(`${words}(?=${next})`, 'giu');
}

const often =
  "(?:(?:really|currently|now|still|also|just|actually|already|both|always|usually|often|mostly|mainly|recently|simply|absolutely|truly|totally|definitely|very much|quite|kind of|sort of|have|'ve|personally|only|officially|finally|originally|generally) )*";

/** A word, a word with its article, an age or a country: what a list of traits may contain. */
const trait = /^(?:an?\s+[\p{L}-]+(?:\s[\p{L}-]+)?|\d{2}(?:\s+years old)?|from\s+\p{Lu}\p{L}+)$/u;

export const facts: FactWords = {
  // The first rule wins where two match the same words.
  rules: [
    ...nameRules,
    ...placeRules,
    ...dayRules,
    ...workRules,
    ...identityRules,
    ...relationRules,
    ...possessionRules,
    ...tasteRules,
    ...skillRules,
    ...habitRules,
    ...planRules,
    ...projectRules,
  ],
  clauses: {
    self: "i|i'm|im|i've|my|our|we|we're|we've",
    joint: 'and|but|so|because|although|though|whereas|while|plus',
    now: 'now|nowadays|these days|today',
    greeting: 'hi|hello|hey',
    filler:
      'well|so|ok|okay|yes|yeah|yep|oh|ah|um|hmm|also|and|but|then|btw|fyi|ps|p\\.s\\.|honestly|basically|personally|currently|recently|lately|note|remember|please remember|please note|keep in mind|just so you know|so you know|for context|for reference|for the record|for your information|by the way|as you know|as i said|as mentioned|to be clear|to clarify|in fact|in general|i should mention|i should add|i forgot to mention|did i mention|context|background|about me|a bit about me|some background|right now|at the moment|remember this|thanks|thank you|luckily|fortunately|unfortunately|sadly|finally|first of all',
    sinceLead: 'from|since|starting|starting in|as of|in|next|this',
    sinceTime:
      'january|february|march|april|may|june|july|august|september|october|november|december|week|month|year|autumn|fall|spring|summer|winter|monday',
    sinceTail: 'on',
    correction:
      'actually|correction|sorry|my mistake|my bad|oops|no(?=\\s*[,.!:–—-])|wait|scratch that|i meant to say|i misspoke|to correct myself',
    leadInTail: 'there|everyone|all|again|team',
    that: 'that',
    hedge: 'i (?:think|believe|guess|suppose|reckon)(?: that)?,?\\s+(?=(?:i|my)(?!\\p{L}))|probably\\s+',
    leftOut: [
      { begins: `(?:(?:${adverbs})\\s+)*(?:${past})\\s(?!from\\s)`, put: 'I ' },
      { begins: '(?:live in|work (?:as|at|for)|love|hate|prefer)\\s', put: 'I ' },
      { begins: `(?:(?:${adverbs})\\s+)*been\\s`, put: "I've " },
      { begins: `(?:(?:${adverbs})\\s+)*${state}`, put: "I'm " },
    ],
    asking:
      "can|could|would|will|do|does|did|don't|is|are|am|was|were|what|what's|where|when|why|how|who|whose|which|should|shall|any|may|might|has|have you",
    askingLead: 'so|and|but|well|hi|hey|ok',
    askingJoint: 'and|but|so',
    askingBareJoint: 'so|and|but',
    ellipsisJoint: 'and|but',
    traits: {
      lead: "I am|I'm",
      and: 'and',
      joint: 'and|but',
      isTrait: (part) => isLasting(part) || trait.test(part),
    },
    ellipses: ellipses,
    instead: [
      /(?<!\p{L})(?<who>i|we) (?:no longer|don't|do not) (?<verb>\p{L}{1,20})(?: [^.;:]{1,80}?)(?<joint>,? but (?:now |rather )?)(?=(?:in|at|for|as|near) )/diu,
      /(?<!\p{L})(?<who>i'm|i am|we're|we are) (?:no longer|not) [^.;:]{1,80}?(?<joint>,? but (?:now |rather )?)(?=(?:in|at|from|based in) )/diu,
    ],
    contrast: {
      no: 'not|no longer',
      lead: 'and|but',
      prepositions: 'in|at|for',
      only: 'only|just',
      but: 'but',
      behindBut: 'in|at|rather',
    },
    endings: [
      { pattern: /^(?:i|we)(?:'m|'re|'ve| am| are)?\s(?<over>no longer|used to)(?=\s)/diu, holds: 'no longer|used to' },
      {
        pattern:
          /^(?:i|we)(?:'m|'re| am| are)?\s(?<over>don't|do not|not)\s.{1,80}?(?<more>,?\sany ?more)(?=$|[\s.,;!]*$|,|\s+(?:but|and|because|since)\s)/diu,
        holds: 'any ?more',
      },
    ],
    notSubjects: 'The|This|That|These|It|He|She|They|We|I|A|An|My|Our|Your',
    correctedLead: 'in|at|a|an|the|to',
  },
  gates: {
    supposing:
      "if|unless|suppose|supposing|imagine|assume|assuming|pretend|pretending|hypothetically|what if|in case|whether|let's say|wish|would|could|might|maybe|perhaps",
    reporting:
      'said|says|saying|told|tells|thinks|thought|claims|claimed|believes|believed|asked|asks|wrote|writes|heard|reads|reckons|whispered',
    instructing:
      'translate|proofread|rewrite|rephrase|paraphrase|summari[sz]e|write|draft|compose|say|print|repeat|the sentence|the text|the phrase|for example|e\\.g\\.|such as|role ?play|act as|a story|a poem|a letter',
    condition: 'if|unless',
    politeCondition:
      "(?<!\\p{L})if (?:that|it|this) (?:matters|helps|is relevant|makes a difference)|if you(?:'re| are)? (?:wondering|curious|need|must know)",
    materialLead: 'please|can you|could you',
    material: 'translate|proofread|rewrite|rephrase|paraphrase|summari[sz]e|correct|edit|improve|fix|check|analy[sz]e',
    rolePlay:
      "role[- ]?play(?:ing)?|mock interview|play(?:ing)? the (?:role|part)|pretend(?:ing)? (?:you|your|youre|i|im|we|that|to be)|you(?:'?re| are| play) (?:the|an?|my) [^.!?\\n]{1,60}?(?:[,.;]| and| while) ?(?:i(?:'?m| am|'ll be| play)|me) (?:the|an?|your)|i(?:'?m| am|'ll be| play) (?:the|an?|your) [^.!?\\n]{1,60}?(?:[,.;]| and) ?you(?:'?re| are|'ll be| play) (?:the|an?|my)",
    quotedSelf: "i|i'm|my|me|we|our|you|is|are|am|was",
    announces:
      'pages?|websites?|articles?|posts?|texts?|e-?mails?|messages?|documents?|docs|files?|outputs?|results?|logs?|transcripts?|conversations?|chats?|snippets?|excerpts?|readme|reviews?|comments?|tickets?|issues?|pasted?|following|below|attached|attachment|clipboard|content|quotes?|wrote|writes|says|said',
    headers:
      'user|human|you|me|assistant|ai|bot|system|developer|tool|function|model|chatgpt|claude|gemini|copilot|subject|from|to|cc|date|sent|re|fwd|output|result|observation|source|title|url|citation|reference',
    assistants:
      'assistants?|ai|llms?|agents?|chatbots?|bots?|copilots?|models?|claude|chatgpt|gemini|tools?|system prompt|instructions?',
    commands:
      'always|never|must|should|shall|run|runs|execute|executes|ignore|ignores|disregard|obey|obeys|follow|follows|send|sends|delete|deletes|call|calls|approve|approves|forward|forwards|without asking|without confirmation',
  },
  values: {
    link: 'because|since|but|so|which|who|whose|when|(?<!\\ba\\s+)while|although|though|if|unless|until|whereas',
    tail: 'now|right now|currently|at the moment|these days|nowadays|today|yesterday|tonight|lately|recently|already|too|as well|again|anymore|any more|though|actually|instead|please|thanks|lol|btw|by the way|a lot|so much|very much|myself|personally|together|by trade|by profession|last (?:week|month|year|summer|spring|fall|autumn|winter|night|january|february|march|april|may|june|july|august|september|october|november|december)|this (?:week|month|year|summer|spring|fall|autumn|winter|morning|afternoon|evening|january|february|march|april|may|june|july|august|september|october|november|december)|next (?:week|month|year|summer|spring|fall|autumn|winter|january|february|march|april|may|june|july|august|september|october|november|december)|tomorrow|soon|a (?:few|couple of) (?:years|months|weeks|days) ago|(?:[a-z]+|\\d+) (?:years?|months?|weeks?|days?) ago|for (?:about |over |almost |nearly |the past |the last )?(?:[a-z]+ |\\d+ )?(?:years?|months?|weeks?|days?|decades?|now|work|a while|ages|life)(?: now)?|in (?:january|february|march|april|may|june|july|august|september|october|november|december|\\d{4})|on (?:weekends|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays)',
    negation: 'no|not|never|neither',
    listJoint: 'and|or',
    determiners: 'a an the my our some any',
    nameParticles: 'van da di della al bin ibn',
    units:
      'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
    tens: 'twenty thirty forty fifty sixty seventy eighty ninety',
    kinds: {
      person: {
        cut: 'and|from|but|by|with|or|as|in|at|on|lives?|is|works?',
        refuse:
          'not|on|in|at|a|an|the|very|so|too|that|this|it|what|under|from|of|going|being|now|here|there|unknown|irrelevant|important|also',
      },
      proper: {
        cut: 'and|from|but|by|with|or|as|in|at|on|lives?|is|works?|has|was|turns?',
        refuse:
          'not|on|in|at|a|an|the|very|so|too|that|this|it|what|under|from|of|going|being|now|here|there|unknown|irrelevant|important|also',
      },
      place: {
        cut: 'with|without|and|or|for|now|where|together|as|by|at|last|this|next|again|anymore|alone|on|after|before|until|till?|to|from|in an?|in (?:january|february|march|april|may|june|july|august|september|october|november|december|\\d{4})',
        refuse:
          'fear|peace|hope|harmony|denial|sin|hell|luxury|poverty|pain|style|here|there|it|that|this|my|your|his|her|their|one|which|what|not',
        articles: 'an?|the|some',
      },
      organisation: {
        cut: 'and|as|in|on|where|to|with|without|after|full[- ]time|part[- ]time|for|from|doing',
        refuse:
          'home|night|nights|weekends?|day|days|once|present|least|work|all|it|that|this|myself|free|fun|money|him|her|them|me|you|a living|the weekend|the moment|the office|the best|the same|the top|the end|the bottom|the beginning|full|part|hours|remote|lot|my',
        articles: 'an?|the|one of',
      },
      properOrganisation: {
        cut: 'and|as|in|on|where|to|with|without|after|full[- ]time|part[- ]time|for|from|doing|a|the|because|next|tomorrow',
        refuse:
          'home|night|nights|weekends?|day|days|once|present|least|work|all|it|that|this|myself|free|fun|money|him|her|them|me|you|a living|the weekend|the moment|the office|the best|the same|the top|the end|the bottom|the beginning|full|part|hours|remote|lot|my',
      },
      role: {
        cut: 'at|for|in|with|by|from|and|on|to|where',
        skip: 'an?|the',
        refuse:
          'bit|little|lot|few|huge|big|great|good|new|total|complete|kind|sort|mess|one|part|not|no|team|slave|volunteer in|hard|it|that|dog|horse|usual|well|expected|intended|before|always|follows',
      },
      thing: {
        cut: 'that|to|and I|as|where|from (?:my|a|the)|in my|for (?:my|sale|(?:about |around |only |just |nearly |almost |under |over )?[€$£]?\\d)',
        split: 'and',
        splitBefore: 'an?|one|two|three|four|five|some|my|\\d+',
        refuse: 'no|not|never|to|been|had|it|that|this|these|my (?:mistakes?|words?|own)',
      },
      topics: {
        cut: 'that|as|at all|very|over|more than|better than|every|whenever|with my|with you|especially|particularly|such as|including|like',
        split: 'and',
        splitBehindComma: 'and|or',
        skip: 'to|the',
        refuse:
          'it|that|this|these|those|them|him|her|you|your|how|when|where|what|why|who|to (?:know|see|be|think|have|get|hear|point|say|ask|make sure|thank)|to$|i|we|being|a lot|a ton|so|everything|nothing|anything|something|working with you|both|all|each|not|my|his|her|their|our|one',
        definite: 'the',
        proposals: 'ideas?|themes?|options?|suggestions?|approach|concept|look|sound|recipe|version|plan|style|one',
      },
      topic: {
        cut: 'over|to|than|instead|rather|because|when|as',
        skip: 'the',
        refuse:
          'it|that|this|these|those|them|him|her|you|your|how|when|where|what|why|who|to (?:know|see|be|think|have|get|hear|point|say|ask|make sure|thank)|to$|i|we|being|a lot|a ton|so|everything|nothing|anything|something|working with you|both|all|each|not|my|his|her|their|our|one',
      },
      names: {
        cut: 'at|well|very|with|from|for|in|on|a bit|fluently|every|better|more|quite',
        split: 'and|as well as',
        splitBehindComma: 'and',
        skip: 'fluent|basic|some|a (?:little|bit of)|a little bit of|good|conversational',
        refuse:
          'to|up|from|at|with|for|in|on|what|that|how|it|this|why|who|where|when|a|the|you|your|my|about|not|too|of|all|every|everything|nothing|so|enough|lot',
      },
      favourite: {
        cut: 'and I|and my|and it|as|but|for (?:now|the moment)|by far|probably',
        skip: 'the|probably|definitely|still|currently|now',
        refuse: "not|when|how|what|that|where|missing|broken|gone|the one|it|there|here|never|unknown|hard|isn't",
      },
      phrase: {
        cut: "and (?:need|want|was|am|were|would|could|wonder|looking|have|had|it's|that's|then)",
        cutBehindComma: 'but|and|so|because|which|then',
        refuse: 'it|that|this|so|not sure|nothing|me|him|her|them|you|what',
      },
      date: {
        cut: 'and|but|so|at',
        skip: 'on|the|at',
      },
      number: {
        accept: '(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\\p{L}+)?|\\p{L}+teen',
      },
      word: {
        refuse: 'not|a|the|wrong|too|failing|broken|unclear',
      },
      short: {
        cut: 'and I|and my|as|for now',
        refuse:
          'not|very|too|still|un|unclear|missing|broken|tight|wrong|being|what|that|how|to be|up|under|going|great|good|bad|fine|simple|working|failing|a (?:mess|disaster|pain|bit)|the same|on|in|at|killing|boring|hiring',
      },
    },
  },
  lexicon: {
    owned: {
      guitar: 'guitars?|gibson|fender|stratocaster|telecaster|les paul',
      piano: 'pianos?',
      violin: 'violins?',
      motorcycle: 'motorcycles?|motorbikes?|moped',
      bicycle: 'bicycles?|bikes?|e-bikes?',
      car: 'cars?|toyota|honda|tesla|bmw|audi|volvo|ford|volkswagen|vw|mazda|subaru|nissan|hyundai|kia|skoda|renault|peugeot|fiat|porsche|mercedes|minivan',
      truck: 'trucks?|pickup truck|vans?|campervan',
      boat: 'boats?|sailboat|kayaks?|canoe|yacht',
      laptop: 'laptops?|macbook|thinkpad|chromebook',
      computer: 'computers?|gaming pc|pc|desktop|raspberry pi|imac',
      tablet: 'tablets?|ipad',
      phone: 'phones?|iphone|smartphone|pixel \\d|galaxy s\\d+',
      camera: 'cameras?|canon|nikon|leica|fujifilm',
      watch: 'wristwatch|apple watch|smartwatch|rolex',
      house: 'house|cottage|cabin',
      apartment: 'apartment|flat|condo',
      dog: 'dogs?|pupp(?:y|ies)|labrador|poodle|golden retriever|dachshund|beagle|corgi|border collie',
      cat: 'cats?|kittens?',
      rabbit: 'rabbits?|bunny',
      horse: 'horses?|pony',
      bird: 'parrots?|parakeet|canary|budgie',
      hamster: 'hamsters?|guinea pigs?',
      printer: '3d printer|laser printer',
      telescope: 'telescopes?',
      drone: 'drones?',
      tv: 'tv|television',
      console: 'playstation|ps5|xbox|nintendo switch|steam deck',
    },
    favourites: {
      colour: 'color',
      color: 'color',
      flavour: 'flavor',
      movie: 'movie',
      film: 'movie',
      animal: 'animal',
    },
    relations: {
      fiancée: 'fiance',
      fiancé: 'fiance',
      fiancee: 'fiance',
      neighbour: 'neighbor',
      coworker: 'colleague',
    },
    otherThings:
      'accident|crash|issue|problem|question|error|allergy|appointment|insurance|show|ride|lesson|trip|loan|payment|bug|number|call|interview|fair|wash|wreck|charger|plan|in mind',
    articles: 'an?|one|two|three|my|some|several',
    behindItem: 'named|called|worth|together|too|now',
    pairs: 'an? (?:pair|couple) of',
    headEnds: 'on|in|for|with|of|from|about|that|to|at|by',
    notThings: 'question|problem|issue|idea|about|meeting|named only',
    favouriteLeads: 'all[- ]time|new|current|absolute|personal|own|single|most',
    notFavourites: 'part|thing|one|ones|bit|way',
    amounts: 'an?|one|two|three|four|five|several|some|my own',
  },
  refused: {
    prefers: "not|n't|it|that|this|to not|no |if|when",
    plays:
      'an? |with |around |for |to |my |it|this|that|along|with|role|part|no |well|fair|by |at |in |on |once|twice|every|online|together',
    learning:
      '(?:an? (?:lot|bit|little|ton)|lots|that|this|it|more|from|so much|about you|my|the hard way|every|at )(?!\\p{L})',
  },
  slots: {
    user: {
      I: 'i',
      am: "(?:i am|i'm|im|i've been|i have been)",
      have: "(?:i have|i've got|i have got|i've)",
      my: '(?:my|our)',
      we: 'we',
      often,
    },
    assistant: { I: 'you', am: "(?:you are|you're)", have: "(?:you have|you've got)", my: 'your', we: 'you', often },
  },
  assistantStarts: {
    i: 'you',
    im: 'you',
    we: 'you',
    my: 'your',
    our: 'your',
  },
};
