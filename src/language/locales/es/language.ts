import { type AnswerWords, type Language, type QuestionWords, type Words, withoutEnding } from '../../language.js';
import { facts } from './facts.js';
import { time } from './time.js';

/** Endings of number, gender and tense, without accents. */
const ending =
  /(?:amientos?|imientos?|aciones|acion|adoras?|adores|ador|ariamos|eriamos|abamos|aremos|eremos|iremos|ieron|iendo|ando|aban|aron|aste|iste|ados?|adas?|idos?|idas?|arias?|erias?|arian|erian|arla|arlo|erlo|erla|aba|abas|amos|emos|imos|ante|ara|are|ian|ia|ar|er|ir|an|en|as|es|os|a|e|o|s)$/;

/** A light stem of a word without accents, and without the vowel that changes under stress: remueve is remover. */
export function stemSpanish(word: string): string {
  return withoutEnding(word, ending).replace(/ue/, 'o').replace(/ie/, 'e');
}

export const words: Words = {
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
    replies: '\\b(?:dijiste|sugeriste|recomendaste|mencionaste|aconsejaste|propusiste|explicaste|me habías)\\b',
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
    location: ['d[óo]nde (?:vivo|vivía|resido)'],
    employer: ['d[óo]nde trabajo|para qui[ée]n trabajo'],
    role: ['en qu[ée] trabajo|cu[áa]l es mi (?:trabajo|profesi[óo]n)'],
    birthday: ['cu[áa]ndo es mi cumpleaños|cu[áa]ndo nac[íi]'],
    relation: ['c[óo]mo se llama mi (?<x>\\p{L}+)'],
    favourite: ['cu[áa]l es mi (?<x>\\p{L}+) (?:favorit|preferid)[oa]'],
  },
};

export const spanish: Language = { code: 'es', script: 'latin', words, time, questions, answers, facts };
