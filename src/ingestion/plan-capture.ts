import type { Message } from '../model/conversation.js';
import { messageHash } from './hash.js';
import type { NormalisedMessage } from './normalise-messages.js';
import { type AppendPlan, planAppend } from './plan-append.js';
import type { SecretPolicy } from './secret-policy.js';
import { findSecrets } from './secrets.js';

interface CaptureRules {
  secretPolicy: SecretPolicy;
  sentWhole?: boolean;
}

/**
 * How a capture relates to a stored one. Where secrets are replaced, the stored one may be from before that, or from before
 * a form of secret was known: it agrees when it does once its own are replaced.
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
