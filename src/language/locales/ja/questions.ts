import type { QuestionWords } from '../../language.js';

export const questions: QuestionWords = {
  number:
    '何[個人分円回日本枚度歳年泊匹冊]|何時間|何キロ|いくら|いくつ|どれくらい|どのくらい|(?:お金|料金|値段|費用)は',
  person: {
    replies: '(?:勧め|薦め|おすすめ|提案)(?:て|し|の|は|を)|あなたが',
    advice: 'どうすれば|どうやって|どうすると|どうする|方法|べき',
    user: '私|僕|俺|わたし',
  },
};
