import type { AnswerWords } from '../../language.js';

export const answers: AnswerWords = {
  phrases: {
    you: 'あなた',
    assistant: 'アシスタント',
    perhaps: (answer) => `おそらく：${answer}`,
    unclear: 'はっきりした答えはありません。',
    nearest: '近い内容：',
    notFound: '記憶の中にその答えはありません。',
    before: '以前',
    saidOn: (day) => `${day}の発言`,
  },
};
