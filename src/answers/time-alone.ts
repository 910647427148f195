import { languageOf } from '../language/language-of.js';
import { derived, wordSet } from '../language/languages.js';
import { functionWordsOf } from '../language/query-terms.js';
import type { Hit } from './hit.js';

/**
 * Whether a question names times and nothing else to look for: "What did I say last week?". The words that only ask for
 * whatever was said or happened stand in any text, or in none that answers.
 */
export function asksTimeAlone(question: string, timePhrases: readonly string[]): boolean {
  if (timePhrases.length === 0) return false;
  const rest = timePhrases.reduce((text, phrase) => text.replace(phrase, ' '), question).toLowerCase();
  const language = languageOf(question);
  const small = new Set(functionWordsOf(language));
  const idle = whatever();
  const words = rest.replaceAll('’', "'").match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.every((word) => word.length === 1 || small.has(word) || idle.words.has(word) || idle.signs.test(word));
}

const whatever = derived((languages) => {
  const signs = languages.map(({ answers }) => answers?.whateverSigns ?? '').join('');
  return {
    words: wordSet(({ answers }) => answers?.whatever),
    // Chinese has no blanks: characters of which nothing but such a question is made.
    signs: new RegExp(`^[${signs}]+$`, 'u'),
  };
});

/** What was said at the time, in place of what is like the question: the asker's own words, newest first. */
export function saidThen(hits: readonly Hit[], { asksAssistant }: { asksAssistant: boolean }): Hit[] {
  const own = hits.filter(
    ({ role, speaker }) => speaker !== undefined || role === (asksAssistant ? 'assistant' : 'user'),
  );
  const newestFirst = [...own].sort((one, other) => {
    if (one.at !== other.at) return one.at < other.at ? 1 : -1;
    return one.chunkIndex - other.chunkIndex;
  });
  // None is nearer to the question than another.
  return newestFirst.map((hit) => ({ ...hit, relevance: 1 }));
}
