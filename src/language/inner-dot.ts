/** After these a dot ends no sentence, whatever follows. */
const abbreviations = wordsOf(`
dr mr mrs ms prof st sr sra dra jr vs e.g i.e etc inc ltd co approx dept mt ft rev hon sgt capt hr fr med mag ing dipl phil jur rer
z.b d.h u.a bzw ca inkl evtl ggf geb mio mrd р вул м`);

/** Words of their own as well: they are short for something before a number only ("No. 5", "Feb. 12", "Tel. 0664"). */
const beforeNumbers = wordsOf(`
no nr tel str vol pp fig art ch jan jän feb feber mär apr jun jul aug sep sept oct okt nov dec dez`);

const germanMonth = /^(?:Jan|Jän|Feb|März|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)/;

/** Behind these a number with a dot is an ordinal: "im 3. Stock". */
const ordinalFollows =
  /(?<!\p{L})(?:am|der|die|das|dem|den|des|im|vom|zum|zur|beim|bis|ab|seit|jeden|jede)\s+[0-9]{1,2}$/iu;

/**
 * Whether a dot ends no sentence: "Dr. Chen", "St. Louis", "Ursula K. Le Guin", "3. März", "on Feb. 12". `from` is where
 * the sentence begins, `dot` where the dot stands and `next` where the text goes on after it, on the same line.
 */
export function isInnerDot(text: string, { from, dot, next }: { from: number; dot: number; next: number }): boolean {
  const following = text.slice(next, next + 12);
  if (following === '') return false;
  const head = text.slice(Math.max(from, dot - 24), dot);
  const before = /(?:[\p{L}.]+|[0-9]+)$/u.exec(head)?.[0] ?? '';
  if (/^[0-9]/.test(before)) return isOrdinal(head, before, following) || goesOn(text, from, following);
  if (/^\p{L}$/u.test(before)) return before !== 'I';
  const word = before.toLowerCase();
  if (abbreviations.has(word)) return true;
  const last = word.endsWith('str') ? 'str' : word;
  if (beforeNumbers.has(last) && /^[+(]?[0-9]/.test(following)) return true;
  return goesOn(text, from, following);
}

/** "22. Juli", "im 3. Stock", and the number in front of an item of a list. */
function isOrdinal(head: string, number: string, following: string): boolean {
  if (number.length > 2) return false;
  if (germanMonth.test(following) || ordinalFollows.test(head)) return true;
  return head.trimStart() === number;
}

/** A small letter goes on with the sentence, unless the writer begins sentences with small letters too. */
function goesOn(text: string, from: number, following: string): boolean {
  if (!/^\p{Ll}/u.test(following)) return false;
  const first = /\p{L}/u.exec(text.slice(from, from + 60))?.[0] ?? '';
  return !/\p{Ll}/u.test(first);
}

function wordsOf(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}
