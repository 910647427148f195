import type { TenseWords, TimeWords } from '../../language.js';

const ofYear = '(?: de| en|,)? (?:{year}|{yearWord})';

/** German "hier" (here) is spelled like French "hier" (yesterday), so French words must be nearby. */
const frenchWord =
  "(?:\\b(?:je|tu|il|elle|nous|vous|est|et|le|les|la|que|une|pas|avec|pour|dans|sur)\\b|\\b[jlcdnsq]')";
const hier = `d'hier|hier(?: soir| matin| apres-midi)|hier(?:(?<=${frenchWord}[^]{0,60})|(?=[^]{0,60}${frenchWord}))`;

const tense: TenseWords = {
  coming:
    '(?:est|sont|sera|seront) (?:\\p{L}+ )?(?:prévu|fixé|réservé|programmé|annoncé)e?s?|vais|vas|va|allons|allez|vont|\\p{L}{2,}(?:erai|eras|era|erons|erez|eront|ira|iront|irai|drai|dra|dront)|aurai|aura|aurons|auront|est|sont|suis|sommes|pars|part|partons|partent|commence|commencent|finit|ouvre|ferme|arrive|arrivons|prochaine?s?|dois|doit|devons|veux|veut',
  past: '(?:ai|as|a|avons|avez|ont) (?:(?:déjà|bien|pas|tout|enfin|aussi|récemment|jamais|encore) )?\\p{L}+(?:é|ée|és|ées|i|u|ue|us|is|it|ert)|(?:suis|es|est|sommes|êtes|sont) (?:(?:déjà|bien|pas|tous|enfin|aussi|récemment) )?(?:allé|venu|parti|arrivé|né|mort|rentré|sorti|monté|tombé|resté|devenu|passé|revenu)e?s?|étai(?:t|ent|s)|étions|avai(?:t|ent|s)|avions|\\p{L}{3,}(?:aient|ait)|fut|hier|autrefois',
  again: "chaque|tous les|toutes les|toujours|souvent|d'habitude|habituellement|généralement",
  everyOne: 'le|les',
  aim: 'pour(?: le)?',
};

export const time: TimeWords = {
  months: [
    'janvier|janv\\.?',
    'fevrier|fevr?\\.?',
    'mars',
    'avril|avr\\.?',
    'mai',
    'juin',
    'juillet|juil\\.?',
    'aout',
    'septembre|sept\\.?',
    'octobre|oct\\.?',
    'novembre|nov\\.?',
    'decembre|dec\\.?',
  ],
  weekdays: ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche'],
  seasons: ['printemps', 'ete', 'automne', 'hiver'],
  quarters: ['1er|premier', '2e|2eme|deuxieme|second', '3e|3eme|troisieme', '4e|4eme|quatrieme'],
  units: {
    day: 'jours?',
    week: 'semaines?',
    weekend: 'week-?ends?',
    month: 'mois',
    quarter: 'trimestres?',
    // "An" alone is an English article.
    year: "an(?<=\\b(?:un |l'|cet )an)|ans|annees?",
  },
  numbers: ['une?', 'deux', 'trois', 'quatre', 'cinq', 'six', 'sept', 'huit', 'neuf', 'dix', 'onze', 'douze'],
  few: "quelques|plusieurs|une? couple de|l'autre",
  dayWords: {
    '-2': 'avant-hier',
    '-1': hier,
    '0': "aujourd'hui|ce matin|ce soir|cet apres-midi|cette nuit",
    '1': 'demain',
    '2': 'apres-demain',
  },
  weekWords: {
    '-1': 'la semaine (?:derniere|passee|precedente)',
    '0': 'cette semaine',
    '1': 'la semaine prochaine',
  },
  yearWords: {
    '-1': "l'an (?:dernier|passe)|l'annee (?:derniere|passee|precedente)",
    '0': 'cette annee',
    '1': "l'an prochain|l'annee prochaine",
  },
  careful: 'janv|fevr?|mars|avr|mai|juil|sept|oct|nov|dec',
  prepositions: "(?:en|de|depuis|debut|fin|mois de|avant|apres|mi|courant) |d'|mi-|jusqu'en ",
  seasonPrepositions: "(?:en|au|du|de|depuis le|ce) |l'|d'|cet ",
  phrases: {
    date: [`(?:{weekday},? (?:le )?)?{day}(?:er)? {month}(?:${ofYear})?`],
    month: ['{plainMonth}', '{prep}{month}', `{month}${ofYear}`, '{yearWord},?(?: en)? {month}'],
    season: ['{seasonPrep}{season}', `{season}${ofYear}`, "{yearWord},?(?: en| au| a l')? ?{season}"],
    quarter: [`{quarter} trimestre(?:${ofYear})`, '(?<=\\bau |\\ble |\\bdu ){quarter} trimestre'],
    year: ['{prep}{year}', "(?<=\\bl'annee ){year}"],
    day: ['{dayWord}'],
    weekday: ['{weekday}', '{weekday} (?:de )?{weekWord}', '{weekWord},?(?: le)? {weekday}'],
    beforeLast: ["(?:l')?avant-derni(?:er|ere) {period}"],
    previous: [
      "(?:le |la |l')?{period} (?:dernier|derniere|passee?|precedente?)",
      '(?:le |la )derni(?:er|ere) {period}',
    ],
    current: ['(?:ce|cet|cette) {period}(?:-ci)?'],
    next: ["(?:le |la |l')?{period} prochaine?", '(?:le |la )?prochaine? {period}'],
    ago: ['(?:il )?y a(?: environ| a peu pres| plus de| presque)? {count} {unit}', "(?=l'autre jour){few} {unit}"],
    past: ['(?:les |ces |des )?{count} derni(?:er|ere)s {unit}'],
    ahead: ['dans {count} {unit}'],
  },
  limits: {
    before: "(?:avant|jusqu'en|jusqu'au)(?: le| la| l'| debut| fin| de)? ?",
    after: "apres(?: le| la| l')? ?",
    since: "(?:depuis|a partir de|des)(?: le| la| l'| debut| fin)? ?",
  },
  range: {
    from: '(?:de|du|entre|entre le) ',
    to: "(?:a|au|et|et le|jusqu'en|jusqu'au) ",
    article: 'le',
    ordinal: 'er',
  },
  dates: { lead: 'le', ordinal: 'er' },
  asksWhen:
    /^(?:\p{L}+, |et |c'est |c'était |depuis |jusqu'à )?quand(?!\p{L})(?![^?]*,)|\bquand est-ce|(?:sais|souviens|souvenir|rappelles?|dis-moi|depuis|jusqu'à|était|c'est|demande) quand\b|\bquand\s*\?|\bquel(?:le)?s? (?:est la |était la )?(?:date|jour|mois|année|heure|semaine|saison)|il y a combien de|depuis combien de|combien de (?:temps|jours|semaines|mois|années) (?:s'est|se sont|depuis|entre)/u,
  tense,
};
