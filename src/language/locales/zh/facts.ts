import { age, type FactWords, favourite, known, type RuleLine, relation, where } from '../../fact-words.js';

const over = { ends: true } as const;

const trades =
  /(?:师|生|员|医生|护士|律师|教授|司机|警察|记者|作家|画家|演员|经理|工人|农民|厨师|程序员|工程师|设计师|老师|教师|学生|会计|翻译|研究员)$/u;

const identities = /^(?:素食者|素食主义者|左撇子|基督徒|穆斯林|.{1,6}国人|.{2,4}人|糖尿病人)$/u;

/** Ordered by families of predicates: the first rule wins where two match the same words. */
const rules: readonly RuleLine[] = [
  ['我', '我的(?:电子)?(?:邮箱|邮件)(?:地址)?是 ?{}', 'profile_email', 'email'],
  ['我', '我(?:的名字)?(?:叫做?|是叫)(?<object>[^什谁哪]{1,20})', 'profile_name', 'person'],
  ['我', '我的(?:名字|姓名)(?:是|叫)(?<object>[^什谁哪]{1,20})', 'profile_name', 'person'],
  ['我', '我(?:现在|目前|一直)?住在(?<object>[^哪什不]{1,20})', 'profile_location', 'place'],
  ['我', '我(?:刚|最近|已经)?搬(?:到|去)了?(?<object>[^哪什]{1,20})', 'profile_location', 'place'],
  ['我', '我(?:是)?来自(?<object>[^哪什]{1,20})', 'profile_origin', 'place'],
  ['我', '我(?:已经)?(?:不再|不)住在(?<object>[^哪什]{1,20}?)了', 'profile_location', 'place', over],
  ['我', '我的?生日是(?<object>[^哪什]{3,16})', 'profile_birthday', 'date'],
  ['我', '我出生于(?<object>[^哪什]{3,16})', 'profile_birthday', 'date'],
  ['我', '我(?:现在)?在(?<object>[^哪什]{2,20}?)(?:工作|上班)', 'profile_employer', 'organisation'],
  ['我', '我(?:现在)?是(?:一)?[名位个]?(?<object>[^的谁什哪]{1,12})', where(trades, 'profile_role'), 'role'],
  ['我', '我(?:已经)?从(?<object>[^哪什]{2,20}?)(?:辞职|离职)', 'profile_employer', 'organisation', over],
  ['我', '我(?:刚|最近)?加入了(?<object>[^哪什]{2,20})', 'profile_employer', 'organisation'],
  ['我', '我的(?:工作|职业)是(?<object>[^的谁什哪]{1,12})', 'profile_role', 'role'],
  ['我', '我(?:今年)?(?:已经)?(?<object>[0-9]{1,3})岁', age, 'number'],
  [
    '我',
    '我是(?:一)?[名位个]?(?<object>[^的谁什哪]{2,10}(?:者|人|主义者))',
    where(identities, 'profile_identity'),
    'short',
  ],
  ['我', '我对(?<object>[^哪什]{1,12})过敏', 'allergic_to', 'topics'],
  [
    '我',
    '我(?:的)?(?<who>妻子|老婆|丈夫|老公|女朋友|男朋友|妈妈|爸爸|姐姐|妹妹|哥哥|弟弟|儿子|女儿|老板|狗|猫)(?:的名字)?(?:叫做?|是叫)(?<object>[^什谁哪]{1,12})',
    relation,
    'person',
  ],
  ['我', '我有(?<object>[一两二三四五六\\d]+个(?:孩子|儿子|女儿|哥哥|弟弟|姐姐|妹妹|兄弟|姐妹))', 'family', 'phrase'],
  ['我', '我(?:家)?有(?<object>[一两二三四五\\d]+[\\p{L}]{1,12})', known, 'thing'],
  ['我', '我最(?:喜欢|爱)的(?<what>[^是的]{1,6})是(?<object>[^什哪谁]{1,20})', favourite, 'favourite'],
  ['我', '我(?:很|非常|特别|真的)?(?:喜欢|爱)(?!的)(?<object>[^什哪谁的你]{1,16})', 'likes', 'topics'],
  ['我', '我(?:很|非常|最)?(?:讨厌|不喜欢)(?!的)(?<object>[^什哪谁的你]{1,16})', 'dislikes', 'topics'],
  ['我', '我(?:会|能)(?:说|讲)(?<object>[^什哪谁]{1,16})', 'speaks', 'names'],
  ['我', '我(?:正在|在)(?:学习?)(?<object>[^什哪谁校]{1,16})', 'learning', 'topic', { checked: true }],
  ['我', '我(?:会)?弹(?<object>[^什哪谁]{1,8})', 'plays', 'topics'],
  ['我', '我(?:更|比较)(?:喜欢|偏好)(?<object>[^什哪谁]{1,16})', 'prefers', 'topic'],
  ['我', '我(?:打算|计划)(?<object>[^什哪谁]{2,24})', 'plans', 'phrase'],
];

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
