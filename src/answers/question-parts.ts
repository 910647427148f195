import { derived, languages, wordSet } from '../language/languages.js';
import { namesIn } from './question.js';

/** One of the questions that a question consists of. */
export interface QuestionPart {
  /** The part as a question of its own. */
  text: string;
  /** What to search for: the whole question where the part alone does not say what it is about ("and what does he do?"). */
  query: string;
}

/** Longer questions are documents: they are not taken apart. */
const longestSplit = 500;

/** With fewer words of its own a part leans on the one before it. */
const ownWords = 2;

/**
 * The two questions of a question with two parts ("Which school is it, and when does it start?"), or the question itself. A
 * bare second half ("and where?") asks more of the first and is no question of its own.
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

/** The words that say what is asked about. */
function wordsSaid(part: string, asking: RegExp): string[] {
  const words = part.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.filter((word) => !functionWords().has(word) && word.replace(asking, '') !== '');
}

const functionWords = derived(() => wordSet(({ words }) => words?.functionWords));

/** Scripts without blanks have a whole sentence in one word. */
function isSpaced(words: readonly string[]): boolean {
  return !words.some((word) => /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word));
}

function asQuestion(part: string): string {
  const words = part.replace(/[\s,;，、；،?？؟]+$/u, '');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}?`;
}
