import { age, type FactWords, favourite, known, type RuleLine, relation, where } from '../../fact-words.js';
import type { AnswerWords, Language, QuestionWords, TenseWords, TimeWords, Words } from '../../language.js';

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
    rolePlay: '扮演|[你我]演|你当[^。！？\\n]{1,20}[，,] ?我当|你是[^。！？\\n]{1,20}[，,] ?我是',
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

const digits = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
/** 一 to 三十一; traditional and simplified forms agree here. */
const numerals = ['', '十', '二十', '三十'].flatMap((tens) =>
  tens === '' ? digits : [tens, ...digits.map((one) => tens + one)],
);

/** "早上", "以上" and similar words end in the character that begins "last". */
const last = '(?<![早晚以马身])上一?[个個]?';
const current = '(?:这|這|本)一?[个個]?';
const coming = '(?<![以之乡地])下一?[个個]?';
const ofYear = '(?:{year}年?|{yearWord})的?';

const tense: TenseWords = {
  coming: '将|[会會](?![议議])|要|打算|计划|計劃|准备|準備|是|即将',
  past: '了|过|過|昨|曾|刚才|剛才',
  again: '每|总是|總是|通常|经常|經常',
  aim: '[订訂约約定][了在到]?',
};

export const time: TimeWords = {
  months: numerals.slice(0, 12).map((numeral, index) => `(?:0?${index + 1}|${numeral})月份?`),
  weekdays: ['一', '二', '三', '四', '五', '六', '[日天]'].map((sign) => `(?:周|週|星期|礼拜|禮拜)${sign}`),
  seasons: ['春天|春季', '夏天|夏季', '秋天|秋季', '冬天|冬季'],
  quarters: ['[1一]', '[2二]', '[3三]', '[4四]'],
  units: {
    day: '天|日',
    week: '周(?!末)|週(?!末)|星期|礼拜|禮拜',
    weekend: '周末|週末',
    month: '月(?![0-9一二三四五六七八九十]*[日号號])',
    quarter: '季度',
    year: '年',
  },
  numbers: numerals.slice(0, 12).map((numeral) => (numeral === '二' ? '二|两|兩' : numeral)),
  monthDays: numerals.slice(0, 31),
  few: '好?几|好?幾|数|數|若干|些',
  dayWords: {
    '-3': '大前天',
    '-2': '前天',
    '-1': '昨天|昨日|昨晚|昨夜',
    '0': '今天|今日|今晚|今早',
    '1': '明天|明日|明早|明晚',
    '2': '[后後]天(?<![之以]..)',
  },
  weekWords: { '-2': '上上[个個]?', '-1': last, '0': current, '1': coming },
  yearWords: { '-2': '前年', '-1': '去年', '0': '今年', '1': '明年', '2': '[后後]年' },
  phrases: {
    date: ['{month}{day} ?[日号號]', `${ofYear} ?{month} ?{day} ?[日号號]`],
    month: ['{month}', `${ofYear} ?{month}`],
    season: ['{season}', `${ofYear} ?{season}`],
    quarter: ['第{quarter}季度', `${ofYear}第?{quarter}季度`],
    year: ['{year} ?年', '{yearWord}'],
    day: ['{dayWord}'],
    weekday: ['{weekday}', '{weekWord}{weekday}'],
    beforeLast: ['上上[个個]?(?![天日年]){unit}'],
    previous: [`${last}(?![天日年]){unit}`, `${last}{season}`],
    current: [`${current}(?![天日年]){unit}`, `${current}{season}`],
    next: [`${coming}(?![天日年]){unit}`, `${coming}{season}`],
    ago: ['{count}多?[个個]?多?{unit}多?(?:以前|之前|前)', '前{few}[个個]?(?!年){unit}'],
    past: ['(?:最近|过去|過去|近)的?这?{count}[个個]?{unit}'],
    ahead: ['{count}[个個]?{unit}(?:之[后後]|以[后後]|[后後])'],
  },
  limits: { before: '[之以]?前', after: '[之以]?[后後]', since: '以[来來]|起|[开開]始' },
  range: { from: '(?:从|從|在|自)?', to: '(?:到|至) ?', joint: '到|至', dayEnd: '[日号號]' },
  dates: { shape: '(?:(?<year>[12][0-9]{3})年)?(?<month>[0-9]{1,2})月(?<day>[0-9]{1,2})[日号]?' },
  asksWhen:
    /什[么麼][时時][候间間]|啥[时時]候|何[时時]|[几幾][时時](?!候)|哪一?[天年日]|哪一?[个個]?(?:月|星期|季)|[几幾](?:月|号|號|点|點)|周几|星期[几幾]|多久(?:以前|之前|前)|多[长長][时時][间間](?:以前|之前|前)|什[么麼]日(?:子|期)|日期(?:是|为)/u,
  tense,
};

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
    replies: [
      '[你您](?:[^，。？！?!]{0,4})(?:说|說|建议|建議|推荐|推薦|提到|告诉|告訴|教|给我|給我|让我|讓我|叫我|帮我|幫我)',
      '(?:ai|人工智能|机器人|機器人|助手|chatgpt|claude|gemini|copilot)[^，。？！?!]{0,4}(?:说|說|建议|建議|推荐|推薦|提到|告诉|告訴|教|让|讓)',
      '[你您]的(?:建议|建議|推荐|推薦|回答|答案|意见|意見)',
    ].join('|'),
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
  rejecting: {
    before: '不是|而不是|不再是?|并非|並非|取代|代替|没有|沒有',
    after: '(?:改成|换成|改為|換成|改为|不对|不對|写错|寫錯)',
  },
  spans: {
    range: '{from}至{to}',
    weekOf: '{}那一周',
    weekendOf: '{}那个周末',
    about: '{}前后',
    between: '{from}到{to}之间',
  },
  facts: {
    sentences: {
      profile_name: '你叫{}。',
      profile_surname: '你姓{}。',
      profile_nickname: '你希望别人叫你{}。',
      profile_email: '你的电子邮箱是{}。',
      profile_location: '你住在{}。',
      profile_origin: '你来自{}。',
      profile_role: '你的职业：{}。',
      profile_employer: '你在{}工作。',
      profile_birthday: '你的生日：{}。',
      profile_birth_year: '你的出生年份是{}。',
      profile_identity: '你是{}。',
      profile_condition: '你的健康：{}。',
      allergic_to: '你对{}过敏。',
      family: '你的家人：{}。',
      likes: '你喜欢{}。',
      dislikes: '你不喜欢{}。',
      prefers: '你更喜欢{}。',
      speaks: '你会说{}。',
      native_language: '你的母语是{}。',
      knows: '你会{}。',
      plays: '你会玩{}。',
      learning: '你在学{}。',
      owns_: '你有{}。',
    },
    nouns:
      'name=名字|surname=姓氏|nickname=昵称|email=电子邮箱|location=住处|origin=家乡|role=职业|employer=工作单位|birthday=生日|birth year=出生年份|age=年龄|identity=身份|condition=健康|allergic to=过敏|family=家人|wife=妻子|husband=丈夫|spouse=配偶|partner=伴侣|girlfriend=女朋友|boyfriend=男朋友|fiance=未婚夫妻|mother=母亲|father=父亲|mom=妈妈|mum=妈妈|dad=爸爸|boss=老板|manager=经理|landlord=房东|best friend=最好的朋友|doctor=医生|therapist=心理医生|sister=姐妹|brother=兄弟|son=儿子|daughter=女儿|friend=朋友|colleague=同事|neighbour=邻居|neighbor=邻居|dog=狗|cat=猫|anniversary=纪念日|likes=喜好|dislikes=不喜欢的|prefers=偏好|habit=习惯|speaks=语言|native language=母语|knows=技能|plays=会玩的|learning=在学的|studied=学业|plans=计划|goal=目标|decision=决定|creator=作者|command name=命令|project name=项目名称|deadline=截止日期|launch date=发布日期|uses=工具|known as=名字|relationship=关系|breed=品种|takes=药物|dose=剂量|diet=饮食|hobby=爱好|home=住所|measurement=数据|schedule=日程|appointment=预约|event=事件|trip=旅行|price=价格|subscription=订阅|membership=会员|works on=项目|due=截止日期|contact=联系人|detail=其他|owns pet=宠物|owns device=设备|owns vehicle=交通工具|owns car=汽车|owns item=物品|favorite color=最喜欢的颜色|favorite food=最喜欢的食物|favorite book=最喜欢的书|favorite movie=最喜欢的电影|favorite song=最喜欢的歌|favorite drink=最喜欢的饮料|favorite sport=最喜欢的运动|favorite band=最喜欢的乐队|recurring topic=反复出现的话题',
    is: '{what}：{}。',
    list: '{what}：{}。',
    of: '{who}，{what}：{}。',
    and: '和',
    on: '{}（{day}）',
    saidOn: '{}（{day}说的）',
    before: '以前：{}。',
    atThatTime: '当时：{}。',
    thenAndNow: '当时和现在都是：{}。',
    now: '现在：{}。',
    disagree: '同一时间的说法互相矛盾：{}。',
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
