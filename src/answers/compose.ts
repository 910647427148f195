import { isCut } from './confidence.js';
import { displayDay } from './dates.js';
import type { Hit } from './hit.js';
import type { Passage } from './passages.js';
import type { Question } from './question.js';

/**
 * A line for each passage, word for word as it was said; a question about time is answered with the date first. What is
 * no longer so says that it is history.
 */
export function composePassages(question: Question, passages: readonly Passage[]): string {
  return passages.map((passage) => `${historyOf(passage)}${dateOf(question, passage)}${said(passage)}`).join('\n');
}

export const notFoundAnswer = 'The memory does not hold an answer to that.';
export const noRoomAnswer = 'The token budget leaves no room for what the memory holds about that.';

function historyOf({ over, hit }: Passage): string {
  return over.length === 0 ? '' : `Before (said on ${displayDay(hit.at)}): `;
}

function dateOf({ kind }: Question, { times, hit, holdsKind }: Passage): string {
  if (kind !== 'when') return '';
  const [first] = times;
  if (first !== undefined) return `${capital(first.display)}. `;
  // Beside a time that stands in the words themselves, the day they were said would pass for the answer.
  return holdsKind === true ? '' : `Said on ${displayDay(hit.at)}. `;
}

function said(passage: Passage): string {
  const { hit, quote, context } = passage;
  const own = `${speakerOf(hit, context !== undefined)}${quote.shown}${isCut(passage) ? '…' : ''}`;
  return context === undefined ? own : `${speakerOf(context.hit, true)}${context.quote.shown} ${own}`;
}

/** Between people it matters who said it; between the user and an assistant only where both are quoted. */
function speakerOf(hit: Hit, both: boolean): string {
  if (hit.speaker !== undefined) return `${hit.speaker}: `;
  if (!both) return '';
  return hit.role === 'user' ? 'User: ' : 'Assistant: ';
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
