import type { AnswerWords } from '../../language.js';

export const answers: AnswerWords = {
  phrases: {
    you: '你',
    assistant: '助手',
    perhaps: (answer) => `可能是：${answer}`,
    unclear: '没有明确的答案。',
    nearest: '最接近的内容：',
    notFound: '记忆中没有这个问题的答案。',
    before: '以前',
    saidOn: (day) => `${day}说的`,
  },
  quantities: '[一二两三四五六七八九十百千]',
  places: '在',
  people: '[我他她]',
  bareReplies: '是的?|不是|对|没错|好的?',
  whateverSigns: '我你您他她们們说說讲講聊谈談做干幹发發生了过過什甚么麼哪些事情在的是有都',
  asks: {
    name: ['我叫什么|我的名字(?:是|叫)什么'],
    location: ['我(?:现在|以前|之前)?住在?(?:哪|什么地方)'],
    employer: ['我在哪(?:里|儿|家公司)?(?:工作|上班)'],
    role: ['我(?:是)?做什么(?:工作)?的|我的(?:工作|职业)是什么'],
    birthday: ['我(?:的)?生日是|我什么时候出生'],
  },
};
