import type { AnswerPhrases } from '../language/language.js';
import { languageOf, spokenIn } from '../language/languages.js';
import type { ConfidenceLabel } from './confidence.js';
import { displayed } from './dates.js';
import type { Passage } from './passages.js';
import type { Question } from './question.js';
import type { ReadHit } from './quote.js';

/** A piece of evidence as a line of the answer. */
export interface Line {
  read: ReadHit;
  passage: Passage;
  /** It states something that is no longer true. */
  isHistory: boolean;
}

/** The short answer first if there is one, then who said what and when, in the language of the question. */
export function composeRead(input: {
  question: Question;
  lines: readonly Line[];
  confidence: ConfidenceLabel;
  /** The answer from the facts, if they take precedence. */
  stated?: string;
  /** At `low` confidence: the first line is as likely to answer as not, so its short answer is offered as a guess. */
  isGuess?: boolean;
  /** What was stated before the guess, and may still hold. */
  earlier?: string;
}): string {
  const { question, lines, confidence, stated, isGuess, earlier } = input;
  const language = languageOf(question.text);
  const words = spokenIn(language, 'phrases');
  const [lead] = lines;
  const quotes = lines.map((line) => quoteLine(line, language));
  if (confidence === 'none') {
    return lead === undefined ? words.notFound : [words.notFound, words.nearest, ...quotes.slice(0, 3)].join('\n');
  }
  const short = stated ?? (lead === undefined ? undefined : shortAnswer(question, lead, words));
  if (confidence === 'low') {
    const guess = stated ?? (isGuess === true ? withEarlier(short, earlier) : undefined);
    const head = guess === undefined ? `${words.unclear} ${words.nearest}` : words.perhaps(guess);
    return [head, ...quotes].join('\n');
  }
  return [...(short === undefined ? [] : [short]), ...quotes].join('\n');
}

function withEarlier(short: string | undefined, earlier: string | undefined): string | undefined {
  return short === undefined || earlier === undefined ? short : `${short} ${earlier}`;
}

function quoteLine({ passage, isHistory }: Line, language: string): string {
  const { hit, quote, context } = passage;
  const words = spokenIn(language, 'phrases');
  const history = isHistory ? `${words.before}: ` : '';
  const reply = context === undefined ? '' : `${context.quote.shown} — `;
  return `${history}${displayed(hit.at, language, 'shortDay')}, ${speakerOf(passage, words)}: ${reply}${quote.shown}`;
}

function speakerOf({ hit }: Passage, words: AnswerPhrases): string {
  return hit.speaker ?? (hit.role === 'user' ? words.you : words.assistant);
}

/** The words that answer, or the day they mean; undefined if only the whole sentence does. */
function shortAnswer({ kind }: Question, { read, passage }: Line, words: AnswerPhrases): string | undefined {
  if (kind === 'why') return undefined;
  if (kind === 'yes_no') {
    if (Math.abs(read.polarity) < decidedFrom) return undefined;
    return `${read.polarity > 0 ? words.yes : words.no}.`;
  }
  if (kind === 'when') {
    const [time] = passage.times;
    return time === undefined ? undefined : `${time.display.charAt(0).toUpperCase()}${time.display.slice(1)}.`;
  }
  const { span, hit } = read;
  if (span === undefined || span.score <= 0) return undefined;
  const text = hit.text.slice(span.start, span.end).replace(/\s+/g, ' ').trim();
  return text === '' || text.length > longestShort ? undefined : `${text.replace(/[\s.,;:!?。，！？]+$/u, '')}.`;
}

const longestShort = 80;

/** The logit from which on a message counts as yes or no; below it, only its words are quoted. */
const decidedFrom = 1;
