import type { ContrastWords } from '../language/fact-words.js';
import { alternatives, derived } from '../language/languages.js';

const patterns = derived(() => {
  const any = (part: keyof ContrastWords): string => alternatives(({ facts }) => facts?.clauses?.contrast?.[part]);
  const no = any('no');
  const andNot = any('andNot');
  return {
    butNot: new RegExp(
      `^(?<said>.+?)(?:,| -| –)?\\s+(?:(?:${any('lead')}) )?(?:${no}|${andNot})\\s+(?:(?:${any('prepositions')}) )?(?<not>.+)$`,
      'iu',
    ),
    notBut: new RegExp(
      `^(?:${no})\\s+(?!(?:${any('only')})\\s)(?<not>.+?)(?:\\s(?:${any('more')}))?,?\\s+(?:${any('but')})\\s+(?:(?:${any('behindBut')}) )?(?<said>.+)$`,
      'iu',
    ),
    denies: new RegExp(`,\\s*(?:${no}|${andNot})\\s`, 'iu'),
  };
});

/** "Hamburg, not Berlin" and "not Berlin but Hamburg" say one value and take back another. */
export function contrastIn(raw: string): { said: string; offset: number; not?: string } {
  const { notBut, denies, butNot } = patterns();
  const match = notBut.exec(raw) ?? (denies.test(raw) ? butNot.exec(raw) : null);
  const said = match?.groups?.said;
  const not = match?.groups?.not?.replace(/[\s.!,;]+$/u, '');
  if (said === undefined || not === undefined) return { said: raw, offset: 0 };
  // The value stands first in one shape and last in the other.
  return { said, offset: raw.startsWith(said) ? 0 : raw.length - said.length, not };
}
