import { derived, languages, wordSet } from '../language/languages.js';
import { namesIn } from './question.js';

/** One part of a compound question. */
export interface QuestionPart {
  /** The part as a standalone question. */
  text: string;
  /**
   * The search query: the whole question where the part alone does not say what it is about ("and what does he do?").
   */
  query: string;
}

/** Longer questions are documents and are not split. */
const longestSplit = 500;

/** A part with fewer content words of its own depends on the part before it. */
const ownWords = 2;

/**
 * Splits a compound question ("Which school is it, and when does it start?") into two; otherwise returns it unchanged.
 * A bare second half ("and where?") belongs to the first and is not a separate question.
 */
export function questionParts(question: string): QuestionPart[] {
  const whole = question.trim();
  const alone = [{ text: question, query: question }];
  if (whole.length > longestSplit) return alone;
  for (const { questions } of languages()) {
    const { second, asking } = questions ?? {};
    if (second === undefined || asking === undefined) continue;
    const found = second.exec(whole);
    if (found === null) continue;
    const before = whole.slice(0, found.index);
    const behind = whole.slice(found.index + found[0].length);
    const said = wordsSaid(behind, asking);
    if (!asking.test(before) || wordsSaid(before, asking).length === 0 || said.length === 0) continue;
    const first = asQuestion(before);
    const other = asQuestion(behind);
    const leans = isSpaced(said) && said.length < ownWords && namesIn(behind).length === 0;
    return [
      { text: first, query: first },
      { text: other, query: leans ? whole : other },
    ];
  }
  return alone;
}

/** The content words of a part. */
function wordsSaid(part: string, asking: RegExp): string[] {
  const words = part.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.filter((word) => !functionWords().has(word) && word.replace(asking, '') !== '');
}

const functionWords = derived(() => wordSet(({ words }) => words?.functionWords));

/** Scripts without spaces put a whole sentence into one word. */
function isSpaced(words: readonly string[]): boolean {
  return !words.some((word) => /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word));
}

function asQuestion(part: string): string {
  const words = part.replace(/[\s,;，、；،?？؟]+$/u, '');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}?`;
}
