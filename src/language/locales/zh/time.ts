import type { TenseWords, TimeWords } from '../../language.js';

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
