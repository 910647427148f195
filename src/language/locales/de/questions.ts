import type { QuestionWords } from '../../language.js';

export const questions: QuestionWords = {
  where: /(?<!\p{L})(?:wo|wohin|woher)(?!\p{L})|in welche[rmns]? (?:stadt|land)/u,
  who: /(?<!\p{L})(?:wer|wen|wem|wessen)(?!\p{L})/u,
  howMany: /(?<!\p{L})(?:wie ?viele?[rn]?|wie (?:oft|lange|alt|weit|groß|teuer|schwer))(?!\p{L})/u,
  why: /(?<!\p{L})(?:warum|wieso|weshalb)(?!\p{L})/u,
  yesNo:
    /^(?:ist|sind|war|waren|bin|bist|habe|hast|hat|haben|hatte|kann|kannst|wird|werde|soll|sollte|mag|magst|gibt)(?!\p{L})/u,
  list: /(?<!\p{L})(?:welche)(?!\p{L}).*(?<!\p{L})(?:sind|habe|haben|waren)(?!\p{L})/u,
  past: /(?<!\p{L})(?:früher|vorher|damals|ehemalige?[rnms]?|alte[rnms]?(?= \p{L})|erste[rnms]?)(?!\p{L})/u,
  event: /(?<!\p{L})(?:war|waren|hatte|wurde|hat|habe|hast|haben)(?!\p{L})/u,
  number: [
    String.raw`\bwas\b.{0,80}\b(?:kosten?|kostete|bezahl(?:en|t|te)|zahl(?:en|t|te)|gekostet)\b`,
    String.raw`\bwie ?(?:viele?n?|lange|oft|hoch|groß|weit|alt|schwer|teuer|schnell|breit|tief)\b`,
  ].join('|'),
  person: {
    assistant: '\\b(?:hast|hattest) du\\b',
    replies: '\\bdein(?:e|en|er)? (?:vorschl|antwort|rat)',
    reply:
      '\\b(?:hast|hattest) du\\b.{0,80}\\b(?:gesagt|empfohlen|vorgeschlagen|geraten|erwähnt|genannt|erklärt|geschrieben|geantwortet)',
    advice:
      '(?<!\\p{L})(?:wie (?:kann|könnte|soll|sollte|bekomme|mache|lässt|muss|geht|vermeide|verhindere)|womit|wodurch)(?!\\p{L})',
    user: '(?<![\\p{L}])(?:ich|mein(?:e|em|en|er|es)?|mir|mich)(?![\\p{L}])',
  },
};
