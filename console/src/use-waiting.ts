import type { ConversationList } from '../../src/operations/conversations/list.js';
import { post } from './api.js';
import { useChanges } from './changes.js';
import { answerIn, useCall } from './use-call.js';

/** How much waits for review. Asked again with every view, after what the view itself wants to know. */
export function useWaiting(view: string, signedOut: boolean): number {
  const body = { memory_status: 'pending_review', limit: 1 };
  const called = useCall(
    `${view} ${signedOut}`,
    async (signal) =>
      signedOut ? 0 : (await post<ConversationList>('/memory/conversations/list', body, { signal })).total,
    { delay: 400 },
  );
  useChanges(called.reload);
  return answerIn(called) ?? 0;
}
