import type { Message } from '../model/conversation.js';
import { messageHash } from './hash.js';
import type { NormalisedMessage } from './normalise.js';
import type { SecretPolicy } from './secret-policy.js';
import { findSecrets } from './secrets.js';

interface CaptureRules {
  secretPolicy: SecretPolicy;
  sentWhole?: boolean;
}

/**
 * Compares a capture with the stored one. Where secrets are redacted, the stored one may predate redaction or the
 * detection of some kind of secret, so it also matches if it does after redacting it now.
 */
export function planCapture(stored: readonly Message[], sent: readonly Message[], rules: CaptureRules): AppendPlan {
  const sentHashes = sent.map(({ hash }) => hash);
  const storedHashes = stored.map(({ hash }) => hash);
  const plan = planAppend(storedHashes, sentHashes, rules);
  if (plan.kind !== 'conflict' || rules.secretPolicy !== 'redact') return plan;
  return planAppend(stored.map(redactedHash), sentHashes, rules);
}

function redactedHash({ role, text }: NormalisedMessage): string {
  return messageHash({ role, text: findSecrets(text).text });
}

export type AppendPlan =
  /** No new messages were sent. */
  | { kind: 'duplicate' }
  /** The sent messages from this index on are new. */
  | { kind: 'append'; from: number }
  /** The histories disagree. */
  | { kind: 'conflict' };

/**
 * Compares a repeated capture of a stored thread with it, by message hashes in order. The capture may be the whole
 * visible list, an earlier state of it, or a bare continuation that repeats at least the last stored message. A capture
 * known to be complete is never a bare continuation: if it begins differently, the thread was edited.
 */
export function planAppend(
  stored: readonly string[],
  sent: readonly string[],
  { sentWhole = false }: { sentWhole?: boolean | undefined } = {},
): AppendPlan {
  const shared = Math.min(stored.length, sent.length);
  if (matches(stored, 0, sent, shared)) {
    return sent.length > stored.length ? { kind: 'append', from: stored.length } : { kind: 'duplicate' };
  }
  if (sentWhole) return { kind: 'conflict' };
  // The longest overlap wins, so that a repeated "yes" at the boundary is not appended twice.
  for (let overlap = shared; overlap >= 1; overlap--) {
    if (!matches(stored, stored.length - overlap, sent, overlap)) continue;
    return overlap === sent.length ? { kind: 'duplicate' } : { kind: 'append', from: overlap };
  }
  return { kind: 'conflict' };
}

function matches(stored: readonly string[], offset: number, sent: readonly string[], length: number): boolean {
  for (let index = 0; index < length; index++) if (stored[offset + index] !== sent[index]) return false;
  return true;
}
