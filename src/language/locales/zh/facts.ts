import type { FactWords } from '../../fact-words.js';
import { rules } from './rules.js';

export const facts: FactWords = {
  rules,
  clauses: {
    greeting: '你好|您好|大家好',
    filler: '对了|顺便说一下|顺便|目前|现在',
    correction: '其实|更正',
    hedge: '我觉得\\s*,?\\s*',
    impliedSelf: {
      self: '我',
      verbs: '住在|是|在|来自|叫|有|会|喜欢|对',
    },
    asking: '可以|能|请问|怎么|什么|哪|为什么|有没有|你',
    endings: [{ pattern: /^(?<over>我(?:已经)?不再)/du, put: '我', holds: '不再' }],
  },
  gates: {
    supposing: '如果|假如|要是|假设|想象|也许|可能',
    reporting: '[他她](?:们)?(?:说|觉得|以为|问)',
    instructing: '翻译|写',
    condition: '的话',
    material: '翻译',
    quotedSelf: '[我是]',
  },
  values: {
    linkSigns: '因为|但是?|所以',
    tail: '了',
    kinds: {
      person: {
        cut: '和',
        refuse: '不|什么|谁',
      },
      proper: {
        cut: '和',
        refuse: '不|什么|谁',
      },
      place: {
        cut: '和',
        refuse: '哪|那|这',
      },
      organisation: {
        cut: '和',
      },
      role: {
        cut: '和',
      },
      topics: {
        splitSigns: '和',
        refuseSigns: '这|那|你|它|她|他',
      },
      topic: {
        refuseSigns: '这|那|你|它|她|他',
      },
      names: {
        splitSigns: '和',
      },
      favourite: {
        cut: '和我',
      },
    },
  },
  lexicon: {
    owned: {
      guitar: '吉他',
      piano: '钢琴',
      violin: '小提琴',
      motorcycle: '摩托车',
      bicycle: '自行车',
      car: '汽车|车',
      laptop: '笔记本电脑?',
      computer: '电脑',
      phone: '手机',
      camera: '相机',
      house: '房子',
      apartment: '公寓',
      dog: '狗',
      cat: '猫',
      rabbit: '兔子',
      horse: '马',
      bird: '鹦鹉',
    },
    favourites: {
      颜色: 'color',
      食物: 'food',
      菜: 'food',
      电影: 'movie',
      书: 'book',
      歌: 'song',
      动物: 'animal',
      城市: 'city',
      运动: 'sport',
      饮料: 'drink',
      季节: 'season',
      作家: 'author',
    },
    relations: {
      妻子: 'wife',
      老婆: 'wife',
      丈夫: 'husband',
      老公: 'husband',
      女朋友: 'girlfriend',
      男朋友: 'boyfriend',
      妈妈: 'mother',
      爸爸: 'father',
      姐姐: 'sister',
      妹妹: 'sister',
      哥哥: 'brother',
      弟弟: 'brother',
      儿子: 'son',
      女儿: 'daughter',
      老板: 'boss',
      狗: 'pet:dog',
      猫: 'pet:cat',
    },
  },
};
