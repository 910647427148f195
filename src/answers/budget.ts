import { derived, languageOf } from '../language/languages.js';
import { stopTermsOf } from '../language/query-terms.js';
import { queryTerms } from '../language/terms.js';
import type { Hit } from '../model/hit.js';
import { finished, type Steps } from '../model/steps.js';
import type { Tokenizer } from '../tokenizer/contract.js';
import { holdsNumber } from './question.js';
import { isAsking, sentencesOf } from './quote.js';

/** A token budget that counts down and never goes below zero. */
export interface Budget {
  tokenizerUsed: string;
  used(): number;
  left(): number;
  /** Takes the text if it fits as a whole. */
  takes(text: string): boolean;
  /** Takes the longest prefix of the text that still fits and returns it; undefined when not even a word fits. */
  takesHead(text: string): string | undefined;
}

export function createBudget(most: number, tokenizer: Tokenizer): Budget {
  let used = 0;
  const takes = (text: string): boolean => {
    // Counting the tokens of a megabyte only to reject it would block the event loop, so very long texts are rejected
    // unread.
    if (text.length > (most - used) * mostCharacters) return false;
    const cost = tokenizer.count(text);
    if (used + cost > most) return false;
    used += cost;
    return true;
  };
  return {
    tokenizerUsed: tokenizer.name,
    used: () => used,
    left: () => most - used,
    takes,
    takesHead(text) {
      // Cutting may split a token in two, so a prefix of the requested size may still not fit.
      const beginning = text.slice(0, (most - used) * mostCharacters);
      for (let size = most - used; size >= 1; size -= Math.max(1, Math.floor(size / 8))) {
        const [window] = tokenizer.windows(beginning, { size, overlap: 0 });
        const head = wholeCharacters(beginning.slice(0, window?.end ?? 0)).trimEnd();
        if (!/[\p{L}\p{N}]/u.test(head)) return undefined;
        if (takes(head)) return head;
      }
      return undefined;
    },
  };
}

/** Tokens are rarely longer than this many characters. */
const mostCharacters = 40;

/** Drops half a surrogate pair at the end. */
function wholeCharacters(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, '');
}

/** A second hit cut to fewer tokens than this is useless. */
const leastHead = 16;

export interface Fitted {
  /** The hits that fit, some of them cut, in their original order. */
  hits: Hit[];
  dropped: number;
}

/**
 * The hits that fit, best first. A hit that is too long is cut so that it begins at the sentence that answers; a
 * shorter one after it may still fit whole.
 */
export function fitHits(hits: readonly Hit[], budget: Budget, focusOf: (hit: Hit) => number = () => 0): Fitted {
  return finished(
    fittingHits(hits, budget, function* (hit) {
      yield;
      return focusOf(hit);
    }),
  );
}

/** The same in steps: finding the sentence that answers may take long. */
export function* fittingHits(
  hits: readonly Hit[],
  budget: Budget,
  findFocus: (hit: Hit) => Steps<number>,
): Steps<Fitted> {
  const fitted: Hit[] = [];
  for (const hit of hits) {
    if (budget.takes(hit.text)) fitted.push(hit);
    else if (fitted.length === 0 || budget.left() >= leastHead) {
      const head = budget.takesHead(hit.text.slice(yield* findFocus(hit)));
      if (head !== undefined) fitted.push({ ...hit, text: head, truncated: true });
    }
    yield;
  }
  return { hits: fitted, dropped: hits.length - fitted.length };
}

/** A longer reply adds something of its own. */
const longestEcho = 60;

/** Words with which assistants acknowledge a message. */
const acknowledging = derived((languages) => {
  const words = languages.map(({ answers }) => answers?.acknowledgements ?? '').join(' ');
  return new Set(queryTerms(words).filter((term) => !term.startsWith('~')));
});

/**
 * Replaces replies that only repeat or praise with the turn they reply to: "Nice car!" does not answer "which car".
 */
export function withoutEchoes(
  hits: readonly Hit[],
  { terms, before }: { terms: readonly string[]; before: (hit: Hit) => Hit | undefined },
): Hit[] {
  const asked = new Set(terms);
  const standing = hits.map((hit) => {
    const told = before(hit);
    if (told === undefined || !isEcho(hit, told, asked)) return hit;
    return echoed(told, hit);
  });
  const same = (hit: Hit): Hit[] => standing.filter(({ chunkId }) => chunkId === hit.chunkId);
  return standing
    .filter((hit) => same(hit)[0] === hit)
    .map((hit) => same(hit).find(({ echo }) => echo !== undefined) ?? hit);
}

function echoed(told: Hit, { text, relevance, similarity }: Hit): Hit {
  const closest = Math.max(told.similarity ?? 0, similarity ?? 0);
  return {
    ...told,
    echo: text,
    relevance: Math.max(told.relevance, relevance),
    ...(similarity === undefined ? {} : { similarity: closest }),
  };
}

function isEcho(reply: Hit, told: Hit, asked: ReadonlySet<string>): boolean {
  if (reply.role !== 'assistant' || reply.speaker !== undefined || told.role !== 'user') return false;
  if (reply.text.length > longestEcho || holdsNumber(reply.text)) return false;
  // A reply to a question is an answer, however short it is.
  if (sentencesOf(told.text.slice(0, mostRead)).some(({ text }) => isAsking(text))) return false;
  const known = new Set(queryTerms(told.text.slice(0, mostRead)));
  const small = [reply.text, told.text].map((text) => stopTermsOf(languageOf(text)));
  return queryTerms(reply.text).every(
    (term) =>
      term.startsWith('~') ||
      known.has(term) ||
      asked.has(term) ||
      acknowledging().has(term) ||
      small.some((words) => words.has(term)),
  );
}

const mostRead = 2_000;
