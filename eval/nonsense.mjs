// Queries that no conversation answers: invented words, and real words that have nothing to do with each other. Search
// always finds the nearest messages, so their results tell how often `match` calls chance `strong`. The same in every run.

const words = {
  en:
    'walrus sextant turbine velvet glacier trombone pulley haiku isotope lantern marzipan falconry quarry submarine origami vineyard ' +
    'periscope chandelier tadpole gazebo thimble avalanche oboe silo trapeze cobalt hammock zeppelin moss abacus',
  de: 'Walross Sextant Turbine Samt Gletscher Posaune Flaschenzug Isotop Laterne Marzipan Falknerei Steinbruch Pflugschar Steppdecke',
  fr: 'morse sextant turbine velours glacier trombone poulie isotope lanterne massepain fauconnerie carrière charrue édredon',
  es: 'morsa sextante turbina terciopelo glaciar trombón polea isótopo farol mazapán cetrería cantera arado submarino',
  uk: 'морж секстант турбіна оксамит льодовик тромбон блок ізотоп ліхтар марципан соколярство каменоломня плуг субмарина',
  zh: '海象 六分仪 涡轮 天鹅绒 冰川 长号 滑轮 同位素 灯笼 猎鹰 采石场 犁铧 潜艇 火箭',
  ja: 'セイウチ 六分儀 タービン ビロード 氷河 トロンボーン 滑車 同位体 提灯 鷹狩り 採石場 鋤 潜水艦 俳句',
  ar: 'فظ سدسية توربين مخمل ترومبون بكرة نظير فانوس مرزبانية بيزرة محجر محراث غواصة',
};
const latin = { letters: 'abcdefghijklmnopqrstuvwxyz', from: 5, to: 9 };
const scripts = {
  uk: { letters: 'абвгдежзиійклмнопрстуфхцчшщьюяєї', from: 5, to: 9 },
  zh: { first: 0x4e00, last: 0x9fa5, from: 2, to: 4 },
  ja: { first: 0x30a1, last: 0x30f4, from: 4, to: 7 },
  ar: { letters: 'ابتثجحخدذرزسشصضطظعغفقكلمنهوي', from: 4, to: 7 },
};
const mostWords = 4;

/** `count` queries of each kind, of one to four words; a language without words of its own gets English ones. */
export function nonsenseIn(language, count) {
  const draw = drawing(language);
  const real = (words[language] ?? words.en).split(' ');
  const queries = (words) => Array.from({ length: count }, (_, index) => words(1 + (index % mostWords)).join(' '));
  return {
    invented: queries((length) => Array.from({ length }, () => inventedWord(scripts[language] ?? latin, draw))),
    unrelated: queries((length) => drawn(real, length, draw)),
  };
}

/** Different words: one that is repeated is related to itself. */
function drawn(words, length, draw) {
  const left = [...words];
  return Array.from({ length }, () => left.splice(draw(left.length), 1)[0]);
}

function inventedWord({ letters, first, last, from, to }, draw) {
  const letter = letters
    ? () => letters[draw(letters.length)]
    : () => String.fromCodePoint(first + draw(last - first + 1));
  return Array.from({ length: from + draw(to - from + 1) }, letter).join('');
}

/** A linear congruential generator: enough to mix words, and the same numbers in every run. */
function drawing(seed) {
  let state = [...seed].reduce((sum, letter) => sum * 31 + (letter.codePointAt(0) ?? 0), 7) % 2 ** 32;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
