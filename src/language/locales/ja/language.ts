import type { FactWords } from '../../fact-words.js';
import type { AnswerWords, Language, QuestionWords, Words } from '../../language.js';

export const words: Words = {
  otherNames: [
    'お母さん 母親 ママ',
    'お父さん 父親 パパ',
    'おばあちゃん 祖母',
    'おじいちゃん 祖父',
    '自動車 クルマ',
    '医者 医師',
  ],
  unspaced: {
    asking:
      '何でしたか|何ですか|何と|何を|何が|何か|何の|何|誰|どこ|いつ|どれくらい|どのくらい|どれ|どんな|どう|なぜ|いくら|教えて|言って|ください',
    particles: 'はがをにでとのもへやか',
    small: '後私',
  },
};

const questions: QuestionWords = {
  when: /いつ|何[年月日曜]|何時(?!間)/u,
  where: /どこ/u,
  who: /誰|だれ/u,
  howMany: /いくつ|何[個人回本枚匹冊歳]|どれ(?:くらい|ぐらい)/u,
  why: /なぜ|どうして|なんで/u,
  yesNo: /^(?!.*(?:何|なに|なん|どの|どんな|どれ|どう|いつ|いくら)).*か[？?。]?$/u,
  past: /以前|前は|前の|昔|かつて|もともと|元々/u,
  event: /た(?:っけ|の(?:か|です|ですか)?|か|んですか)?[？?。]?$/u,
  number:
    '何[個人分円回日本枚度歳年泊匹冊]|何時間|何キロ|いくら|いくつ|どれくらい|どのくらい|(?:お金|料金|値段|費用)は',
  person: {
    replies: '(?:勧め|薦め|おすすめ|提案)(?:て|し|の|は|を)|あなたが',
    advice: 'どうすれば|どうやって|どうすると|どうする|方法|べき',
    user: '私|僕|俺|わたし',
  },
  second: /、\s*(?=[^、]{0,60}(?:誰|だれ|何|なに|なん|どこ|いつ|どう|どの|どれ|どんな|いくら|いくつ|なぜ))/u,
  asking: /誰|だれ|何|なに|なん|どこ|いつ|どう|どの|どれ|どんな|いくら|いくつ|なぜ/u,
};

export const answers: AnswerWords = {
  phrases: {
    you: 'あなた',
    assistant: 'アシスタント',
    perhaps: (answer) => `おそらく：${answer}`,
    yes: 'はい',
    no: 'いいえ',
    unclear: 'はっきりした答えはありません。',
    nearest: '近い内容：',
    notFound: '記憶の中にその答えはありません。',
    before: '以前',
    saidOn: (day) => `${day}の発言`,
  },
};

const facts: FactWords = {
  gates: { rolePlay: 'ロールプレイ|演じて|になりきって|あなたは[^。！？\\n]{1,30}[、。] ?(?:私|僕|俺)は' },
};

export const japanese: Language = { code: 'ja', script: 'kana', words, questions, answers, facts };
