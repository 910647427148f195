import type { Language } from '../language/function-words.js';

/** The few words of its own that an answer has, beside what it quotes. */
export interface Phrases {
  you: string;
  assistant: string;
  /** In front of an answer that is likelier right than wrong, and no more. */
  perhaps: (answer: string) => string;
  /** Where no message clearly answers. */
  unclear: string;
  /** In front of what was found, where it may not answer. */
  nearest: string;
  notFound: string;
  /** In front of what is no longer so. */
  before: string;
  /** In front of a day on which something was said. */
  saidOn: (day: string) => string;
}

export const phrases: Record<Language, Phrases> = {
  en: {
    you: 'you',
    assistant: 'assistant',
    perhaps: (answer) => `Perhaps: ${answer}`,
    unclear: 'No clear answer.',
    nearest: 'The nearest mentions:',
    notFound: 'The memory does not hold an answer to that.',
    before: 'Before',
    saidOn: (day) => `said on ${day}`,
  },
  de: {
    you: 'du',
    assistant: 'Assistent',
    perhaps: (answer) => `Vielleicht: ${answer}`,
    unclear: 'Keine klare Antwort.',
    nearest: 'Am nächsten kommt:',
    notFound: 'Darauf gibt das Gedächtnis keine Antwort.',
    before: 'Früher',
    saidOn: (day) => `gesagt am ${day}`,
  },
  fr: {
    you: 'vous',
    assistant: 'assistant',
    perhaps: (answer) => `Peut-être : ${answer}`,
    unclear: 'Pas de réponse claire.',
    nearest: 'Ce qui s’en approche le plus :',
    notFound: 'La mémoire ne contient pas de réponse à cette question.',
    before: 'Avant',
    saidOn: (day) => `dit le ${day}`,
  },
  es: {
    you: 'tú',
    assistant: 'asistente',
    perhaps: (answer) => `Quizás: ${answer}`,
    unclear: 'No hay una respuesta clara.',
    nearest: 'Lo más cercano:',
    notFound: 'La memoria no contiene una respuesta a eso.',
    before: 'Antes',
    saidOn: (day) => `dicho el ${day}`,
  },
  uk: {
    you: 'ви',
    assistant: 'асистент',
    perhaps: (answer) => `Можливо: ${answer}`,
    unclear: 'Чіткої відповіді немає.',
    nearest: 'Найближчі згадки:',
    notFound: 'У пам’яті немає відповіді на це.',
    before: 'Раніше',
    saidOn: (day) => `сказано ${day}`,
  },
  zh: {
    you: '你',
    assistant: '助手',
    perhaps: (answer) => `可能是：${answer}`,
    unclear: '没有明确的答案。',
    nearest: '最接近的内容：',
    notFound: '记忆中没有这个问题的答案。',
    before: '以前',
    saidOn: (day) => `${day}说的`,
  },
  ja: {
    you: 'あなた',
    assistant: 'アシスタント',
    perhaps: (answer) => `おそらく：${answer}`,
    unclear: 'はっきりした答えはありません。',
    nearest: '近い内容：',
    notFound: '記憶の中にその答えはありません。',
    before: '以前',
    saidOn: (day) => `${day}の発言`,
  },
  ar: {
    you: 'أنت',
    assistant: 'المساعد',
    perhaps: (answer) => `ربما: ${answer}`,
    unclear: 'لا توجد إجابة واضحة.',
    nearest: 'أقرب ما ورد:',
    notFound: 'لا تحتوي الذاكرة على إجابة لذلك.',
    before: 'سابقًا',
    saidOn: (day) => `قيل في ${day}`,
  },
};
