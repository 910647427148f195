/*
 * Scripts written without blanks (Chinese, Japanese, Thai …). The index holds every character and every pair of
 * neighbours; a query asks for the pairs that carry a subject.
 */

const runs = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー々]+/gu;
const anyUnspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

export function isUnspaced(word: string): boolean {
  return anyUnspaced.test(word);
}

/** The words in between that other scripts wrote. */
export function withoutUnspaced(word: string): string {
  return word.replace(runs, ' ');
}

export function charactersOf(word: string): string[] {
  return (word.match(runs) ?? []).flatMap((run) => [...run]);
}

/** Overlapping pairs of the runs without blanks; a lone character stays. */
export function pairsOf(word: string): string[] {
  return (word.match(runs) ?? []).flatMap((run) => {
    const characters = [...run];
    if (characters.length === 1) return characters;
    return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
  });
}

/**
 * The pairs worth asking for. Chinese question words and particles are cut out before pairs are made, so that they
 * neither pair up nor reach over. In Japanese the grammar is written in hiragana: a pair of those alone says nothing, nor
 * does one with a particle, and a single character between them (猫が) is a word of its own.
 */
export function pairsAsked(word: string): string[] {
  const subject = subjectOf(word);
  const telling = pairsOf(subject).filter((pair) => !empty.test(pair));
  const singles = subject.match(/(?<!\p{sc=Han})\p{sc=Han}(?!\p{sc=Han})/gu) ?? [];
  const asked = [...new Set([...telling, ...singles])].filter((term) => !smallCharacters.has(term));
  return asked.length > 0 ? asked : pairsOf(word);
}

/** The run without its question words and particles, which leave a blank. */
export function subjectOf(word: string): string {
  const isJapanese = /[\p{sc=Hira}\p{sc=Kana}]/u.test(word);
  return word.replace(isJapanese ? japaneseAsking : chineseAsking, ' ');
}

const chineseAsking =
  /为什么|怎么样|怎么|什么时候|什么|是不是|有没有|能不能|可不可以|多少|多久|多大|多长|哪里|哪儿|哪个|哪些|哪位|几个|几点|是谁|谁|如何|应该|可以|需要|我们|你们|他们|咱们|这个|那个|一下|[的了吗呢吧我你他她它是很这那]/gu;
const japaneseAsking =
  /何でしたか|何ですか|何と|何を|何が|何か|何の|何|誰|どこ|いつ|どれくらい|どのくらい|どれ|どんな|どう|なぜ|いくら|教えて|言って|ください/gu;

/** Hiragana alone, or a particle beside one other character. */
const empty = /^\p{sc=Hira}+$|^[はがをにでとのもへやか].$|^.[はがをにでとのもへやか]$/u;

/** Too small to be looked for alone. */
const smallCharacters = new Set(
  '一二三四五六七八九十上下不中人大小有要会能在到去来说用做给对从让时候次个些每最后前为年月日天前後的事物方私'.split(
    '',
  ),
);
