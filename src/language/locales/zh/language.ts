import type { AnswerWords, Language, QuestionWords, Words } from '../../language.js';
import { facts } from './facts.js';
import { time } from './time.js';

export const words: Words = {
  otherNames: ['母亲 妈妈', '父亲 爸爸', '祖母 奶奶', '祖父 爷爷', '外婆 姥姥', '外公 姥爷', '医生 大夫'],
  numbers: '[两二三四五六七八九十百千万半]|一[百千万个天次块年月周]',
  unspaced: {
    asking:
      '为什么|怎么样|怎么|什么时候|什么|是不是|有没有|能不能|可不可以|多少|多久|多大|多长|哪里|哪儿|哪个|哪些|哪位|几个|几点|是谁|谁|如何|应该|可以|需要|我们|你们|他们|咱们|这个|那个|一下|[的了吗呢吧我你他她它是很这那]',
    small: '一二三四五六七八九十上下不中人大小有要会能在到去来说用做给对从让时候次个些每最后前为年月日天前的事物方',
  },
};

const questions: QuestionWords = {
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
  second: /[，,；;]\s*(?=[^，,；;]{0,60}(?:谁|什么|哪|几|多少|多久|怎么|为什么|何时|吗))/u,
  asking: /谁|什么|哪|几|多少|多久|怎么|为什么|何时|吗/u,
};

export const answers: AnswerWords = {
  phrases: {
    you: '你',
    assistant: '助手',
    perhaps: (answer) => `可能是：${answer}`,
    yes: '是',
    no: '不是',
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

export const chinese: Language = { code: 'zh', script: 'han', words, time, questions, answers, facts };
