import { normalForm } from '../../model/normal-form.js';
import { withoutAccents } from '../letters.js';

/** Three views of one text that have the same length, so that a place in one is the same place in the others. */
export type FoldedText = { written: string; lower: string; folded: string };

/** Compatibility forms go first (２０２３ is 2023), then case, then Latin accents: `Été` is `été`, then `ete`. */
export function foldText(text: string): FoldedText {
  if (!/[^\p{ASCII}]/u.test(text)) {
    const lower = text.toLowerCase();
    return { written: text, lower, folded: lower };
  }
  // A capital I with a dot is the one letter that grows when lowered.
  const written = normalForm(text, 'NFKC')
    .replace(/[’\u02bc`´]/g, "'")
    .replace(/\u0130/g, 'I');
  const lower = written.toLowerCase();
  return { written, lower, folded: withoutAccents(lower) };
}
