import { createHash } from 'node:crypto';
import type { ImportedConversation } from '../contract.js';

/** `changed`: look again later. `new`: it has come to rest since it was taken last. `known`: it was taken like this. */
export type Rest = 'changed' | 'new' | 'known';

/**
 * Programs that rewrite a file while an answer streams in show half a sentence first. A conversation is at rest when two
 * looks in a row see the same, so that the half is never taken for the whole.
 */
export function createRest() {
  const seen = new Map<string, { digest: string; taken: boolean }>();
  return function restOf(place: string, { messages }: Pick<ImportedConversation, 'messages'>): Rest {
    const digest = createHash('sha256').update(JSON.stringify(messages)).digest('base64');
    const before = seen.get(place);
    if (before?.digest !== digest) {
      seen.set(place, { digest, taken: false });
      return 'changed';
    }
    if (before.taken) return 'known';
    seen.set(place, { digest, taken: true });
    return 'new';
  };
}
