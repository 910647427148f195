import { derived } from '../language/languages.js';

/*
 * What says that something is over, after the speaker: "I no longer …". Without those words the clause says what was so,
 * which the rules know already.
 */

/** The clause without the words that say it is over, and how much shorter it is in front; undefined where it does not. */
export function withoutEnd(clause: string): { text: string; shorter: number } | undefined {
  const { endings, anyEnding } = patterns();
  if (!anyEnding.test(clause)) return undefined;
  for (const { pattern, put = '' } of endings) {
    const places = pattern.exec(clause)?.indices?.groups;
    if (places?.over === undefined) continue;
    const inFront = blanked(clause, places.over, put);
    const whole = places.more === undefined ? inFront : blanked(inFront, places.more, '');
    const text = whole.trimStart();
    return { text: text.trimEnd(), shorter: whole.length - text.length };
  }
  return undefined;
}

/** Blanks instead of the words, so that what follows keeps its place. */
function blanked(text: string, [from, to]: readonly [number, number], put: string): string {
  return text.slice(0, from) + put.padStart(to - from) + text.slice(to);
}

const patterns = derived((languages) => {
  const endings = languages.flatMap(({ facts }) => facts?.clauses?.endings ?? []);
  // A cheap look before: most clauses say nothing of the kind.
  return { endings, anyEnding: new RegExp(endings.map(({ holds }) => holds).join('|') || '(?!)', 'iu') };
});
