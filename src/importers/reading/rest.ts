import { createHash } from 'node:crypto';
import type { ImportedConversation } from '../contract.js';

/** `changing`: read it again after `forMs`. `new`: stable, not imported yet. `known`: imported in this state. */
type Rest = { kind: 'changing'; forMs: number } | { kind: 'new' } | { kind: 'known' };

/** How long a conversation that its program rewrites must stay the same. */
const restMs = 1_000;

/**
 * Programs that rewrite a file while an answer streams in save incomplete sentences first. A conversation is stable when
 * it stayed the same for a second, so an incomplete answer is not imported; one that is known to be complete need not
 * wait.
 */
export function createRest(now: () => number = () => performance.now()) {
  const seen = new Map<string, { digest: string; since: number; taken: boolean }>();
  return function restOf(
    place: string,
    { messages }: Pick<ImportedConversation, 'messages'>,
    { isComplete = false } = {},
  ): Rest {
    const digest = createHash('sha256').update(JSON.stringify(messages)).digest('base64');
    const known = seen.get(place);
    const before = known?.digest === digest ? known : { digest, since: now(), taken: false };
    if (before.taken) return { kind: 'known' };
    const forMs = isComplete ? 0 : before.since + restMs - now();
    seen.set(place, { ...before, taken: forMs <= 0 });
    return forMs > 0 ? { kind: 'changing', forMs } : { kind: 'new' };
  };
}
