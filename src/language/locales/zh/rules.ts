import { age, favourite, known, relation, where } from '../../fact-readings.js';
import type { RuleLine } from '../../fact-words.js';

const over = { ends: true } as const;

const trades =
  /(?:师|生|员|医生|护士|律师|教授|司机|警察|记者|作家|画家|演员|经理|工人|农民|厨师|程序员|工程师|设计师|老师|教师|学生|会计|翻译|研究员)$/u;

const identities = /^(?:素食者|素食主义者|左撇子|基督徒|穆斯林|.{1,6}国人|.{2,4}人|糖尿病人)$/u;

/** In the order of the families of predicates: what comes first wins where two rules read the same words. */
export const rules: readonly RuleLine[] = [
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
