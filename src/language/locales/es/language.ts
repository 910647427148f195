import {
  type AnswerWords,
  type Language,
  type QuestionWords,
  type TenseWords,
  type TimeWords,
  type Words,
  withoutEnding,
} from '../../language.js';
import { facts } from './facts.js';

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

/** Endings of number, gender and tense, without accents. */
const ending =
  /(?:amientos?|imientos?|aciones|acion|adoras?|adores|ador|ariamos|eriamos|abamos|aremos|eremos|iremos|ieron|iendo|ando|aban|aron|aste|iste|ados?|adas?|idos?|idas?|arias?|erias?|arian|erian|arla|arlo|erlo|erla|aba|abas|amos|emos|imos|ante|ara|are|ian|ia|ar|er|ir|an|en|as|es|os|a|e|o|s)$/;

/** A light stem of a word without accents, and without the vowel that changes under stress: remueve is remover. */
export function stemSpanish(word: string): string {
  return withoutEnding(word, ending).replace(/ue/, 'o').replace(/ie/, 'e');
}

export const words: Words = {
  names: {
    inside: 'de del la el los las y',
    links: { de: 'la las los', del: '' },
  },
  functionWords: `
el la los las lo un una unos unas de del al a y e o u pero sino ni que qué quién quien quiénes cuál cuáles cual cuándo
cuando dónde donde adónde cómo como cuánto cuánta cuántos cuántas por porque para con sin sobre entre hasta desde hacia según
en yo tú él ella ello nosotros vosotros ellos ellas usted ustedes me te se nos os le les mi mis mí tu tus ti su sus
nuestro nuestra nuestros nuestras vuestro este esta estos estas esto ese esa esos esas eso aquel aquella
es son era eran fue fueron ser sido soy eres somos está están estaba estaban estoy estar hay había haber ha han he hemos
hice hizo hace hacen hacer tiene tienen tengo tenía tener tuvo puede puedo pueden podía poder debe debo deben debía deber
va van voy vamos ir quiere quiero no sí si ya más menos muy mucho mucha muchos muchas poco también tampoco solo sólo
tan tanto todo toda todos todas algo nada alguien nadie otro otra otros otras cada mismo misma así entonces
dijiste decía dije dice dicho recomendaste recomendado aconsejaste aconsejado propusiste propuesto sugeriste sugerido
`,
  stem: stemSpanish,
  otherNames: [
    'madre mamá mami',
    'padre papá papi',
    'abuela abuelita yaya',
    'abuelo abuelito yayo',
    'médico médica doctor doctora',
    'coche carro auto',
    'móvil celular',
    'ordenador computadora computador',
    'piso apartamento departamento',
    'bicicleta bici',
    'nevera frigorífico refrigerador',
    'tele televisión televisor',
  ],
  numbers: String.raw`(?<!\p{L})(?:dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|veinte|treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa|cien(?:to)?s?|\p{L}*cient[oa]s|quinient[oa]s|mil|mitad|tercio|medi[oa])(?!\p{L})`,
  dots: { abbreviations: 'sr sra dr dra' },
};

/** What the assistant is called, beside "tú". */
const assistant = '(?:la ia(?!\\p{L})|el (?:bot|chatbot|asistente)|chatgpt|claude|gemini|copilot)';

/** What the assistant did with words. */
const said = 'dijo|sugirió|recomendó|mencionó|aconsejó|propuso|explicó|calculó|escribió';

const questions: QuestionWords = {
  where: /(?<!\p{L})(?:a?dónde|en qué (?:ciudad|país|calle))(?!\p{L})/u,
  who: /(?<!\p{L})(?:quién|quiénes)(?!\p{L})/u,
  howMany: /(?<!\p{L})(?:cuánt[oa]s?|qué edad)(?!\p{L})/u,
  why: /(?<!\p{L})por qué(?!\p{L})/u,
  yesNo: /^¿?(?:es|son|era|está|estoy|soy|he|has|ha|tengo|tienes|tiene|puedo|puedes|hay)(?!\p{L})/u,
  list: /(?<!\p{L})(?:cuáles)(?!\p{L})/u,
  past: /(?<!\p{L})(?:antes|anterior(?:es)?|antigu[oa]s?|solía)(?!\p{L})/u,
  event:
    /(?<!\p{L})(?:era|vivía|trabajaba|estaba|tenía|dije|dijo|pasó|hicimos|hablamos|fue|fui|fuiste|estuve|había|hice|hizo)(?!\p{L})/u,
  number: String.raw`cuánt[oa]s?(?!\p{L})|\bqué (?:precio|cantidad|presupuesto|importe|velocidad)\b`,
  person: {
    replies: [
      '\\b(?:dijiste|sugeriste|recomendaste|mencionaste|aconsejaste|propusiste|explicaste|me (?:habías|diste|hiciste|tiraste|pasaste|armaste|escribiste|calculaste|enseñaste)',
      'habías (?:dicho|sugerido|recomendado|mencionado|aconsejado|propuesto|explicado|calculado)',
      `(?:${said}) ${assistant}`,
      `${assistant} (?:me |le |nos )?(?:${said})`,
      `según (?:(?:vos|tú|ti)(?!\\p{L})|${assistant})`,
      'tus? (?:consejo|sugerencia|recomendaci|respuesta|propuesta|explicaci))',
    ].join('|'),
    advice: '(?<!\\p{L})cómo (?!se llama|te llama|está|estás)',
    user: '(?<![\\p{L}])(?:yo|mi|mis|mí|conmigo)(?![\\p{L}])',
  },
  second:
    /(?:,\s*|\s)[ye]\s+(?=¿?(?:(?:a|de|en|con|por|para|desde|hasta)\s+)?(?:quién(?:es)?|qué|cuál(?:es)?|a?dónde|cuándo|cómo|cuánt[oa]s?)(?!\p{L}))/iu,
  asking: /(?<!\p{L})(?:quién(?:es)?|qué|cuál(?:es)?|a?dónde|cuándo|cómo|cuánt[oa]s?)(?!\p{L})/iu,
};

export const answers: AnswerWords = {
  phrases: {
    you: 'tú',
    assistant: 'asistente',
    perhaps: (answer) => `Quizás: ${answer}`,
    yes: 'Sí',
    no: 'No',
    unclear: 'No hay una respuesta clara.',
    nearest: 'Lo más cercano:',
    notFound: 'La memoria no contiene una respuesta a eso.',
    before: 'Antes',
    saidOn: (day) => `dicho el ${day}`,
  },
  rejecting: {
    before: 'no|en vez de|en lugar de|ya no|y no',
    after: '(?:era|es|estaba) (?:un error|mentira|incorrecto)',
  },
  spans: {
    range: 'del {from} al {to}',
    weekOf: 'la semana del {}',
    weekendOf: 'el fin de semana del {}',
    about: 'hacia el {}',
    between: 'entre el {from} y el {to}',
  },
  facts: {
    sentences: {
      profile_name: 'Te llamas {}.',
      profile_surname: 'Tu apellido es {}.',
      profile_nickname: 'Quieres que te llamen {}.',
      profile_email: 'Tu correo electrónico es {}.',
      profile_location: 'Vives en {}.',
      profile_origin: 'Eres de {}.',
      profile_role: 'Tu profesión: {}.',
      profile_employer: 'Trabajas en {}.',
      profile_birthday: 'Tu cumpleaños: {}.',
      profile_birth_year: 'Tu año de nacimiento es {}.',
      profile_identity: 'Eres {}.',
      profile_condition: 'Tu salud: {}.',
      allergic_to: 'Tus alergias: {}.',
      family: 'Tu familia: {}.',
      likes: 'Te gusta: {}.',
      dislikes: 'No te gusta: {}.',
      prefers: 'Prefieres {}.',
      speaks: 'Hablas {}.',
      native_language: 'Tu lengua materna es {}.',
      knows: 'Sabes de {}.',
      plays: 'Juegas o tocas: {}.',
      learning: 'Estás aprendiendo {}.',
      owns_: 'Tienes: {}.',
    },
    nouns:
      'name=nombre|surname=apellido|nickname=apodo|email=correo electrónico|location=domicilio|origin=origen|role=profesión|employer=empresa|birthday=cumpleaños|birth year=año de nacimiento|age=edad|identity=perfil|condition=salud|allergic to=alergias|family=familia|wife=esposa|husband=marido|spouse=cónyuge|partner=pareja|girlfriend=novia|boyfriend=novio|fiance=prometido|mother=madre|father=padre|mom=mamá|mum=mamá|dad=papá|boss=jefe|manager=responsable|landlord=casero|best friend=mejor amigo|doctor=médico|therapist=terapeuta|sister=hermana|brother=hermano|son=hijo|daughter=hija|friend=amigos|colleague=colegas|neighbour=vecinos|neighbor=vecinos|dog=perro|cat=gato|anniversary=aniversario|likes=gustos|dislikes=aversiones|prefers=preferencias|habit=hábitos|speaks=idiomas|native language=lengua materna|knows=conocimientos|plays=juega o toca|learning=aprende|studied=estudios|plans=planes|goal=objetivos|decision=decisiones|creator=autor|command name=comando|project name=nombre del proyecto|deadline=fecha límite|launch date=fecha de lanzamiento|uses=herramientas|known as=nombre|relationship=relación|breed=raza|takes=medicamentos|dose=dosis|diet=alimentación|hobby=aficiones|home=vivienda|measurement=medidas|schedule=horarios|appointment=citas|event=acontecimientos|trip=viajes|price=precio|subscription=suscripciones|membership=membresías|works on=proyectos|due=fecha límite|contact=contactos|detail=otros|owns pet=mascotas|owns device=dispositivos|owns vehicle=vehículos|owns car=coche|owns item=pertenencias|favorite color=color favorito|favorite food=comida favorita|favorite book=libro favorito|favorite movie=película favorita|favorite song=canción favorita|favorite drink=bebida favorita|favorite sport=deporte favorito|favorite band=grupo favorito|recurring topic=tema recurrente',
    is: '{what}: {}.',
    list: '{what}: {}.',
    of: '{who}, {what}: {}.',
    and: ' y ',
    on: '{} (el {day})',
    saidOn: '{} (dicho el {day})',
    before: 'Antes: {}.',
    atThatTime: 'Entonces: {}.',
    thenAndNow: 'Entonces y ahora: {}.',
    now: 'Ahora: {}.',
    disagree: 'Hay afirmaciones del mismo momento que se contradicen: {}.',
  },
  quantities: 'dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez',
  placeLeads: 'en|cerca de|sobre',
  people: 'yo|nosotros|él|ella',
  bareReplies: 'sí|si|no|exacto|claro',
  acknowledgements: 'perfecto gracias bueno buena anotado estupendo entendido',
  whatever: 'dije dijo dicho hablé hablamos conté contado hice hizo hicimos pasó pasado ocurrió qué',
  termNames: {
    esposa: 'wife',
    esposo: 'husband',
    perro: 'dog',
    gato: 'cat',
    hermana: 'sister',
    hermano: 'brother',
    comida: 'food',
    libro: 'book',
    pelicula: 'movi',
  },
  asks: {
    name: ['c[óo]mo me llamo|cu[áa]l es mi nombre'],
    isHome: ['^¿?(?:todavía |aún |sigo )?(?:vivo|viviendo) (?:todavía |aún )?en'],
    location: ['d[óo]nde (?:vivo|vivía|resido)'],
    isEmployer: ['^¿?(?:todavía |aún |sigo )?(?:trabajo|trabajando) (?:todavía |aún )?(?:en|para)'],
    employer: ['d[óo]nde trabajo|para qui[ée]n trabajo'],
    role: ['en qu[ée] trabajo|cu[áa]l es mi (?:trabajo|profesi[óo]n)'],
    birthday: ['cu[áa]ndo es mi cumpleaños|cu[áa]ndo nac[íi]'],
    relation: ['c[óo]mo se llama mi (?<x>\\p{L}+)'],
    favourite: ['cu[áa]l es mi (?<x>\\p{L}+) (?:favorit|preferid)[oa]'],
  },
};

export const spanish: Language = { code: 'es', script: 'latin', words, time, questions, answers, facts };
