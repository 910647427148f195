import type { QuestionWords } from '../../language.js';

export const questions: QuestionWords = {
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
};
