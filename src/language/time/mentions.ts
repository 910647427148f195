import { derived } from '../languages.js';
import { anchors } from './anchors.js';
import type { FoldedText } from './fold.js';
import { type TimeLanguage, timeLanguages } from './languages.js';
import { capitalSource, mentionSource, openBlanks, withoutGroups, wordEdges } from './words.js';

/** Whether any phrase of any language fits. Only the words around an anchor are compared with phrases, for speed. */
export function holdsPhrase(text: FoldedText): boolean {
  if (capitals().test(text.written)) return true;
  return mentions().some(({ anchor, phrases }) => {
    for (const hit of text.folded.matchAll(anchor)) {
      const words = around(text.folded, hit.index, hit.index + hit[0].length);
      if (phrases.some((pattern) => pattern.test(words))) return true;
    }
    return false;
  });
}

/** Enough for the longest phrase, cut between words where there are any. Looks no further, however long the text is. */
function around(text: string, start: number, end: number): string {
  const from = Math.max(0, start - 60);
  const before = text.slice(from, Math.max(0, start - 30) + 1).lastIndexOf(' ');
  const after = text.slice(end + 25, end + 61).indexOf(' ');
  return text.slice(from + before + 1, after < 0 ? end + 60 : end + 25 + after);
}

const capitals = derived(
  () =>
    new RegExp(
      withoutGroups(
        timeLanguages()
          .flatMap((language) => capitalSource(language) ?? [])
          .join('|'),
      ),
    ),
);

const mentions = derived(() =>
  [...anchors()].map(([script, anchor]) => ({
    anchor,
    // One for each language: past some 20,000 characters, expressions are interpreted instead of compiled.
    phrases: timeLanguages()
      .filter((language) => language.script === script)
      .map(mentionPattern),
  })),
);

function mentionPattern(language: TimeLanguage): RegExp {
  const [start, end] = wordEdges(language.script);
  // A year alone may be any number.
  const { loneYear: _, ...phrases } = language.phrases;
  const sources = Object.values(phrases).flatMap((list) => list.map((phrase) => mentionSource(language, phrase)));
  return new RegExp(openBlanks(`${start}(?:${sources.join('|')})${end}`));
}
