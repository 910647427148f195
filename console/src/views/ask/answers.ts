import type { AskOutput } from '../../../../src/operations/ask/shapes.js';
import { post } from '../../api.js';
import { token } from '../../session.js';

export interface Asked {
  question: string;
  [filter: string]: unknown;
}

/** Answers of this page, so that going back to one asks nothing. They go with the page and with the person. */
const answers = new Map<string, AskOutput>();
const most = 40;

export async function askOnce(asked: Asked, signal: AbortSignal): Promise<AskOutput> {
  const key = keyOf(asked);
  const known = answers.get(key);
  if (known !== undefined) return known;
  const answer = await post<AskOutput>('/memory/ask', { ...asked, include_messages: false, explain: true }, { signal });
  const [oldest] = answers.keys();
  if (answers.size >= most && oldest !== undefined) answers.delete(oldest);
  answers.set(key, answer);
  return answer;
}

/** What was answered on this page, if it was asked here. */
export function answerKnown(asked: Asked): AskOutput | undefined {
  return answers.get(keyOf(asked));
}

export function forgetAnswer(asked: Asked): void {
  answers.delete(keyOf(asked));
}

addEventListener('threadkeep:signed-out', () => answers.clear());
// What was corrected or forgotten must not be answered from before.
addEventListener('threadkeep:changed', () => answers.clear());

function keyOf(asked: Asked): string {
  return JSON.stringify([token() ?? '', asked]);
}
