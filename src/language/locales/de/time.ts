import type { TenseWords, TimeWords } from '../../language.js';

const ofYear = '(?: des)? (?:{year}|{yearWord})';

/** German puts the participle at the end of its clause; the dot in "am 3. März" does not end one. */
const within = '(?:(?:[^.,;!?]|(?<=\\d)\\.){0,80} )?';
const prefixed = '(?:be|ver|er|ent|zer|unter|über)\\p{L}{2,}(?:t|en)';
const tense: TenseWords = {
  coming: `(?:ist|sind|wird|werden) ${within}(?:geplant|gebucht|angesetzt|vorgesehen|terminiert|fällig)|werde|wird|wirst|werden|werdet|geht|beginnt|beginne|startet|endet|öffnet|schließt|findet|kommt|kommen|fahren|fährt|fahre|fliegen|fliegt|fliege|gehen|ziehen|zieht|ziehe|heiraten|läuft|soll|sollen|muss|müssen|möchte|möchten|will|wollen|kann|können|nächste[rnms]?|kommende[rnms]?`,
  past:
    'war|waren|warst|hatten?|wurden?|ging(?:en)?|kam(?:en)?|fuhr(?:en)?|flog(?:en)?|fand(?:en)?|gab(?:en)?|sah(?:en)?|traf(?:en)?|zog(?:en)?|begann(?:en)?|blieb(?:en)?|bekam(?:en)?|starb(?:en)?|lief(?:en)?|(?:mach|kauf|wohn|start|heirat|feier|spiel|besuch|lern|reis|arbeit)e?ten?|gestern|vorgestern|damals' +
    '|(?!geschäft|gericht|gewicht|gebiet|gedicht|gesicht|gelten|gehör|gefällt|gefallen|gewinnen|genießen|geplant|angesetzt|gesamt|gemeinsam|gewiss|geehrt|gespannt|geöffnet|geschlossen)(?:an|ab|auf|aus|ein|um|vor|zurück|weg|los|mit|zu|her|hin|nach|teil|statt|kennen)?ge\\p{L}{2,}(?:t|en)' +
    // Without "ge" the participle is spelled like the present tense, so the verb before or after it decides.
    `|(?:habe?|hast|hat|haben|bin|bist|ist|sind) ${within}(?:${prefixed}|\\p{L}{2,}iert)(?= *(?:$|[.,;!?]))|${prefixed} (?:habe|hat|haben|bin|ist|sind)`,
  again:
    'jede[rnms]?|immer|meistens?|normalerweise|üblicherweise|oft|alle (?:zwei|drei|vier|\\d)|jährlich|wöchentlich|monatlich',
  aim: 'für(?: den)?|auf(?: den)?',
};

export const time: TimeWords = {
  months: [
    'januar|janner|jan\\.?',
    'februar|feber|feb\\.?',
    'marz|maerz',
    'april|apr\\.?',
    'mai',
    'juni',
    'juli',
    'august|aug\\.?',
    'september|sept?\\.?',
    'oktober|okt\\.?',
    'november|nov\\.?',
    'dezember|dez\\.?',
  ],
  weekdays: ['montag', 'dienstag', 'mittwoch', 'donnerstag', 'freitag', 'samstag|sonnabend', 'sonntag'],
  seasons: ['fruhlings?|fruhjahrs?', 'sommers?', 'herbst(?:es)?', 'winters?'],
  quarters: ['1\\.|ersten?s?', '2\\.|zweiten?s?', '3\\.|dritten?s?', '4\\.|vierten?s?'],
  units: {
    day: 'tag(?:e[ns]?|s)?',
    week: 'wochen?',
    weekend: 'wochenenden?s?',
    month: 'monat(?:e[ns]?|s)?',
    quarter: 'quartal(?:e[ns]?|s)?',
    year: 'jahr(?:e[ns]?|s)?',
  },
  numbers: [
    'eine[rmns]?|ein',
    'zwei',
    'drei',
    'vier',
    'funf',
    'sechs',
    'sieben',
    'acht',
    'neun',
    'zehn',
    'elf',
    'zwolf',
  ],
  few: 'ein paar|einigen?|mehreren?|wenigen',
  dayWords: {
    '-2': 'vorgestern',
    '-1': 'gestern(?: fruh| morgen| mittag| nachmittag| abend| nacht)?|letzte nacht',
    '0': 'heute(?: fruh| morgen| mittag| nachmittag| abend| nacht)?',
    // "Guten Morgen" and "am Morgen" mean the morning, not tomorrow.
    '1': 'morgen(?<!\\b(?:guten|am|jeden|diesen|den|der|einen|nachsten) morgen)(?: fruh| mittag| abend)?',
    '2': 'ubermorgen',
  },
  weekWords: {
    '-2': 'vorletzte[rn]? woche',
    '-1': '(?:letzte|vorige|vergangene)[rn]? woche',
    '0': 'diese[rn]? woche',
    '1': '(?:nachste|kommende)[rn]? woche',
  },
  yearWords: {
    '-2': 'vorletzte[ns]? jahr(?:es)?',
    '-1': '(?:letzte|vorige|vergangene)[nsm]? jahr(?:es)?',
    '0': 'diese[nsm]? jahr(?:es)?',
    '1': '(?:nachste|kommende)[nsm]? jahr(?:es)?',
  },
  careful: 'jan|feb|apr|mai|aug|sept?|okt|nov|dez',
  capitalMonths: { '4': 'Mai' },
  prepositions: '(?:im|in|seit|bis|vom|zum|ab|anfang|mitte|ende|des|vor|nach) ',
  seasonPrepositions: '(?:im|seit dem|wahrend des|des|uber den) ',
  phrases: {
    date: [
      `(?:{weekday},? (?:den |dem )?)?{day}\\.? {month}(?:${ofYear})?`,
      '{prep}{day}\\.{monthNumber}\\.',
      '(?<=\\bam |\\bden |\\bdem ){day}\\.{monthNumber}\\.',
    ],
    month: ['{plainMonth}', '{prep}{month}', `{month}${ofYear}`, '{yearWord},?(?: im)? {month}'],
    season: ['{seasonPrep}{season}', `{season}${ofYear}`, '{yearWord},?(?: im)? {season}'],
    quarter: [`{quarter} quartal(?:${ofYear})`, '{prep}{quarter} quartal'],
    year: ['{prep}{year}', '(?<=\\bjahre? |\\bjahres ){year}'],
    day: ['{dayWord}'],
    weekday: ['{weekday}', '{weekday},? {weekWord}', '{weekWord},?(?: am)? {weekday}'],
    beforeLast: ['vorletzte[rsnm]? {period}'],
    previous: ['(?:letzte|vorige|vergangene)[rsnm]? {period}'],
    current: ['diese[rsnm]? {period}'],
    next: ['(?:nachste|kommende)[rsnm]? {period}'],
    ago: ['vor(?: etwa| ungefahr| rund| gut| knapp| uber)? {count} {unit}', '{count} {unit} her'],
    past: ['(?:letzten|vergangenen) {count} {unit}'],
    ahead: ['in {count} {unit}'],
  },
  limits: {
    before: '(?:vor|bis)(?: dem| den| der| zum| anfang| ende)? ',
    after: 'nach(?: dem| der)? ',
    since: '(?:seit|ab)(?: dem| der| anfang| ende)? ',
  },
  range: { from: '(?:von|vom|zwischen|zwischen dem) ', to: '(?:bis|bis zum|und|und dem) ' },
  dates: { lead: 'am|den' },
  asksWhen:
    /(?<!\p{L}|dann und )wann(?!\p{L})|\bwelche[sm]? (?:genaue[sn]? )?(?:datum|tag|monat|jahr|woche|wochentag|uhrzeit|jahreszeit)|\bwelche[nr] (?:tag|monat|woche)|wie lange (?:ist (?:das|es|\p{L}+(?: \p{L}+)?) )?(?:schon )?her|vor wie (?:vielen?|langer)|wie ?viele? uhr|\bdas datum (?:des|der|von|vom)/u,
  tense,
};
