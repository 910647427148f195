import type { Tokenizer } from '../tokenizer/contract.js';
import type { Hit } from './hit.js';

/** Counts down from a number of tokens. Nothing is given that would go below zero. */
export interface Budget {
  tokenizerUsed: string;
  used(): number;
  left(): number;
  /** Takes the text if it fits whole. */
  takes(text: string): boolean;
  /** The longest beginning of the text that still fits, taken; undefined when not even a word does. */
  takesHead(text: string): string | undefined;
}

export function createBudget(most: number, tokenizer: Tokenizer): Budget {
  let used = 0;
  const takes = (text: string): boolean => {
    // Counting a megabyte only to refuse it would hold everybody up; hardly a text has so many characters a token.
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
      // Cutting may split a token in two, so the first size that fits need not be the one that was asked for.
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

/** A token is rarely longer. */
const mostCharacters = 40;

/** Half a surrogate pair at the end is no character. */
function wholeCharacters(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, '');
}

/** Fewer tokens of a second hit say nothing. */
const leastHead = 16;

export interface Fitted {
  /** The hits that fit, some of them cut, in their order. */
  hits: Hit[];
  dropped: number;
}

/**
 * The hits that fit, best first. One that is too long is cut to begin at the sentence that answers; a shorter one
 * behind it may still fit whole.
 */
export function fitHits(hits: readonly Hit[], budget: Budget, focusOf: (hit: Hit) => number): Fitted {
  const fitted: Hit[] = [];
  for (const hit of hits) {
    if (budget.takes(hit.text)) fitted.push(hit);
    else if (fitted.length === 0 || budget.left() >= leastHead) {
      const head = budget.takesHead(hit.text.slice(focusOf(hit)));
      if (head !== undefined) fitted.push({ ...hit, text: head, truncated: true });
    }
  }
  return { hits: fitted, dropped: hits.length - fitted.length };
}
