type Form = 'NFC' | 'NFD' | 'NFKC' | 'NFKD';

/** No word of any language has more marks on one letter; the Unicode standard calls text within this bound stream-safe. */
const mostMarks = 30;
const tooManyMarks = new RegExp(`(\\p{M}{${mostMarks}})\\p{M}+`, 'gu');

/**
 * The text in a Unicode normal form. Marks beyond the thirtieth on one letter are left out: normalising sorts each run of
 * marks, and for a run without end that takes the square of its length.
 */
export function normalForm(text: string, form: Form): string {
  return text.replace(tooManyMarks, '$1').normalize(form);
}
