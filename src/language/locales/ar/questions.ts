import type { QuestionWords } from '../../language.js';

export const questions: QuestionWords = {
  number: String.raw`(?<!\p{L})(?:كم|بكم)(?!\p{L})`,
  person: {
    replies: '(?<!\\p{L})(?:نصحت|اقترحت|أوصيت|اوصيت|ذكرت|شرحت)(?:ني|نا|ه|ها)?(?!\\p{L})',
    advice: '(?<!\\p{L})كيف(?!\\p{L})',
    user: '(?<!\\p{L})(?:أنا|عندي|لدي|لي)(?!\\p{L})',
  },
};
