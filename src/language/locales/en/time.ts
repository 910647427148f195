import type { TenseWords, TimeWords } from '../../language.js';

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
