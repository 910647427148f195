import type { QuestionWords } from '../../language.js';

export const questions: QuestionWords = {
  where: /哪里|哪儿|在哪|什么地方|哪个城市/u,
  who: /谁/u,
  howMany: /多少|几[个次岁天只台本]|多久|多大/u,
  why: /为什么|为何/u,
  yesNo: /吗[？?]?$|是否|有没有/u,
  list: /哪些/u,
  past: /以前|之前|曾经|过去/u,
  event: /了|过/u,
  number: '多少|多久|多长|多大|多远|多高|多重|几[个点天次年月周块人]',
  person: {
    replies: '你(?:说|建议|推荐|提到|告诉|教|给我)',
    advice: '怎么(?!样|会)|怎样|如何',
    user: '我',
  },
};
