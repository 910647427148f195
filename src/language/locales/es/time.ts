import type { TenseWords, TimeWords } from '../../language.js';

const ofYear = '(?:,| de| del| en)? (?:{year}|{yearWord})';

const tense: TenseWords = {
  coming:
    '(?:es|son|está|están|estoy|estamos) (?:\\p{L}+ )?\\p{L}+(?:ado|ada|ados|adas|ido|ida|idos|idas|ando|iendo)|es|son|está|están|voy|vas|va|vamos|van|tengo|tienes|tiene|tenemos|tienen|\\p{L}{2,}[aei]r(?:é|ás|á|emos|án)|empieza|empiezo|comienza|sale|salimos|termina|abre|cierra|llega|viene|próxim[oa]s?|debo|quiero',
  past: '(?!(?:café|bebé|qué|porqué|josé|\\p{L}*[aei]ré)(?!\\p{L}))\\p{L}{2,}(?:ó|é)|\\p{L}{2,}(?:aron|ieron|aste|iste|aba|aban|ábamos)|fui|fue|fuimos|fueron|era|eran|estuv[eo]|estuvimos|estuvieron|tuv[eo]|tuvimos|hice|hizo|hicimos|vine|vino|dije|dijo|vi|vio|di|dio|había|habían|tenía|tenían|vivía|quería|(?:he|has|ha|hemos|han) \\p{L}+(?:ado|ido|to|cho)|ayer|anoche',
  again: 'cada|todos los|todas las|siempre|normalmente|generalmente|suelo|suele|solemos',
  everyOne: 'los',
  aim: 'para(?: el)?',
};

export const time: TimeWords = {
  months: [
    'enero',
    'febrero',
    'marzo',
    'abril',
    'mayo',
    'junio',
    'julio',
    'agosto',
    'septiembre|setiembre|sept\\.?',
    'octubre',
    'noviembre',
    'diciembre',
  ],
  weekdays: ['lunes', 'martes', 'miercoles', 'jueves', 'viernes', 'sabado', 'domingo'],
  seasons: ['primavera', 'verano', 'otono', 'invierno'],
  quarters: ['1\\.?er|1o|primer', '2o|segundo', '3\\.?er|3o|tercer', '4o|cuarto'],
  units: {
    day: 'dias?',
    week: 'semanas?',
    weekend: 'fin(?:es)? de semana|finde',
    month: 'mes(?:es)?',
    quarter: 'trimestres?',
    year: 'anos?',
  },
  numbers: ['una?|uno', 'dos', 'tres', 'cuatro', 'cinco', 'seis', 'siete', 'ocho', 'nueve', 'diez', 'once', 'doce'],
  few: 'un[oa]s(?: cuant[oa]s| poc[oa]s)?|algun[oa]s|vari[oa]s|poc[oa]s|un par de|el otro',
  dayWords: {
    '-2': 'anteayer|antes de ayer|antier',
    '-1': 'ayer|anoche',
    '0': 'hoy|esta (?:manana|tarde|noche)',
    // "Por la mañana" means the morning, not tomorrow.
    '1': 'manana(?<!\\b(?:la|esta|cada|una) manana)',
    '2': 'pasado manana',
  },
  weekWords: {
    '-2': 'la semana antepasada',
    '-1': 'la semana (?:pasada|anterior)|la (?:ultima|pasada) semana',
    '0': 'esta semana',
    '1': 'la semana (?:que viene|proxima)|la proxima semana',
  },
  yearWords: {
    '-2': '(?:el )?ano antepasado',
    '-1': '(?:el )?(?:ano (?:pasado|anterior)|pasado ano)',
    '0': 'este ano',
    '1': '(?:el )?(?:ano que viene|proximo ano|ano proximo)',
  },
  // Also mayonnaise and a man's name.
  careful: 'mayo|julio|sept',
  prepositions: '(?:en|de|desde|hasta|antes de|despues de|a principios de|a finales de|mes de) ',
  seasonPrepositions: '(?:en|durante|desde|de|del)(?: el| la)? ',
  phrases: {
    date: [
      `(?:{weekday},? (?:el )?)?{day}o? de {month}(?:${ofYear})?`,
      '(?<=\\bel |\\bdesde ){day} {month}(?: {year})?',
    ],
    month: ['{plainMonth}', '{prep}{month}', `{month}${ofYear}`, '{yearWord},?(?: en)? {month}'],
    season: ['{seasonPrep}{season}', `{season}${ofYear}`, '{yearWord},?(?: en)? {season}'],
    quarter: [`{quarter} trimestre${ofYear}`, '(?<=\\bel |\\bdel ){quarter} trimestre'],
    year: ['{prep}{year}', '(?<=\\bano ){year}'],
    day: ['{dayWord}'],
    weekday: ['{weekday}', '{weekday},?(?: de)? {weekWord}', '{weekWord},?(?: el)? {weekday}'],
    beforeLast: ['(?:el |la )?{period} antepasad[oa]', '(?:el |la )?penultim[oa] {period}'],
    previous: ['(?:el |la )?{period} (?:pasad[oa]|anterior)', '(?:el |la )?(?:pasad[oa]|ultim[oa]) {period}'],
    current: ['est[ea] {period}'],
    next: ['(?:el |la )?{period} (?:que viene|proxim[oa])', '(?:el |la )?proxim[oa] {period}'],
    ago: ['hace(?: como| casi| mas de| ya)? {count} {unit}', '{count} {unit} atras', '(?=el otro dia){few} {unit}'],
    past: ['(?:ultim|pasad)[oa]s {count} {unit}'],
    ahead: ['dentro de {count} {unit}'],
  },
  limits: {
    before: '(?:antes de|hasta)(?: el| la)? |antes del ',
    after: '(?:despues|tras)(?: del?)?(?: el| la)? ',
    since: '(?:desde|a partir de)(?: el| la)? ',
  },
  range: { from: '(?:de|del|desde|desde el|entre|entre el) ', to: '(?:a|al|hasta|hasta el|y|y el) ', article: 'el' },
  dates: { lead: 'el|dia', ordinal: 'º', beforeMonth: 'de', beforeYear: 'de|del' },
  asksWhen:
    /\bcuándo(?!\p{L})|(?:^|[¿.!?;:]\s*)(?:\p{L}+, |y |desde |hasta |de )?cuando(?!\p{L})(?![^?]*,)|(?:sabes|recuerdas|acuerdas|dime|desde|hasta) cuando\b|\b(?:qué|que|cuál es la|cual es la|cuál fue la|cual fue la) (?:fecha|día|dia|mes|año|hora|semana|estación)(?!\p{L})|hace cuánt|hace cuant|cuánto (?:tiempo )?hace|cuanto (?:tiempo )?hace|cuántos (?:días|meses|años) (?:hace|pasaron|han pasado)|cuántas semanas (?:hace|pasaron|han pasado)/u,
  tense,
};
