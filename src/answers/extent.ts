import { languageOf } from '../language/language-of.js';
import { stopTermsOf } from '../language/query-terms.js';
import { queryTerms } from '../language/terms.js';
import { holdsAnswer } from './answer-types.js';
import type { WeightedTerm } from './hit.js';
import type { Question } from './question.js';
import { isAsking, isBareReply, type Sentence } from './sentences.js';
import type { SupportRules } from './support.js';
import { thresholds } from './thresholds.js';

interface ExtentInput {
  /** The turn and its sentences. */
  text: string;
  sentences: readonly Sentence[];
  question: Question;
  terms: readonly WeightedTerm[];
  rules: SupportRules;
}

/** From the first to the last sentence that is quoted. */
export interface Extent {
  from: Sentence;
  to: Sentence;
}

/** How far a quote goes around the sentence that answers best: some say little without what follows or precedes. */
export function extentOf(best: Sentence, input: ExtentInput): Extent {
  const { sentences, text } = input;
  const at = sentences.indexOf(best);
  if (isHeading(best.text)) return { from: best, to: listUnder(best, sentences.slice(at + 1), text) };
  const previous = sentences[at - 1];
  if (previous !== undefined && onlyRepeats(best, input) && fitsWith(previous, best) && !isAsking(previous.text)) {
    return { from: previous, to: best };
  }
  return { from: best, to: companionOf(best, sentences[at + 1], input) };
}

/** The sentence after it joins when it holds what was asked for and the first does not. */
function companionOf(best: Sentence, next: Sentence | undefined, { question, rules }: ExtentInput): Sentence {
  if (next === undefined || isAsking(next.text) || !fitsWith(best, next)) return best;
  const kindOnlyThere =
    holdsAnswer(question.kind, best.text) === false && holdsAnswer(question.kind, next.text) === true;
  const addsWords = rules.coverageOf(`${best.text} ${next.text}`) - rules.coverageOf(best.text) > 0.15;
  return kindOnlyThere || addsWords || isBareReply(best.text) || isAsking(best.text) ? next : best;
}

function fitsWith(one: Sentence, other: Sentence): boolean {
  return one.text.length + other.text.length <= thresholds.sentence;
}

/** "Shopping list for Sunday:" announces what is asked for. */
function isHeading(text: string): boolean {
  return /[:：][*_]*$/u.test(text);
}

/** The last line of what a heading announces: the items of a list, or the lines up to an empty one. */
function listUnder(heading: Sentence, following: readonly Sentence[], text: string): Sentence {
  const isList = following[0] !== undefined && item.test(following[0].text);
  let last = heading;
  for (const sentence of following) {
    const gap = text.slice(last.end, sentence.start);
    const isNewLine = gap.includes('\n');
    const ends = isList ? isNewLine && !item.test(sentence.text) : last !== heading && /\n\s*\n/.test(gap);
    // More is not shown anyway; the quote is cut with an ellipsis.
    if (ends || last.end - heading.start > thresholds.sentence) break;
    last = sentence;
  }
  return last;
}

const item = /^(?:[-*+•–—]|[0-9]{1,3}[.)])\s/u;

/** "My favourite book now." after "I finished Stoner.": it has no word that the question has not. */
function onlyRepeats({ text }: Sentence, { question, terms }: ExtentInput): boolean {
  if (question.kind === 'yes_no' || isBareReply(text)) return false;
  const asked = new Set(terms.map(({ term }) => term));
  const small = stopTermsOf(languageOf(text));
  const words = queryTerms(text);
  return words.some((term) => asked.has(term)) && words.every((term) => asked.has(term) || small.has(term));
}
