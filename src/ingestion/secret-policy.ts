import type { Json } from '../model/json.js';
import type { NormalisedConversation } from './normalise.js';
import type { SecretKind } from './secret-forms.js';
import { findSecrets } from './secrets.js';

export type SecretPolicy = 'off' | 'redact' | 'quarantine';

export interface Guarded {
  conversation: NormalisedConversation;
  /** How many secrets were replaced. */
  redacted: number;
  /** Kinds of secrets for which it must wait for review; empty when it need not. */
  quarantined: SecretKind[];
}

/** Identifiers keep their value: replacing one would join threads that have nothing in common. */
const isIdentifier = /(?:^|_)ids?$|_at$/;

/** Looks for secrets in every text of a conversation, and does with them what the policy says. */
export function guardSecrets(conversation: NormalisedConversation, policy: SecretPolicy): Guarded {
  if (policy === 'off') return { conversation, redacted: 0, quarantined: [] };
  const kinds = new Set<SecretKind>();
  let count = 0;
  const clean = (text: string): string => {
    const found = findSecrets(text);
    for (const kind of found.kinds) kinds.add(kind);
    count += found.count;
    return found.text;
  };
  const { title, messages, metadata } = conversation;
  const redacted: NormalisedConversation = {
    ...conversation,
    ...(title === undefined ? {} : { title: within(clean(title), title) }),
    messages: messages.map((message) => ({ ...message, text: clean(message.text) })),
    metadata: cleanValue(metadata, clean) as NormalisedConversation['metadata'],
  };
  if (policy === 'redact')
    return { conversation: count === 0 ? conversation : redacted, redacted: count, quarantined: [] };
  return { conversation, redacted: 0, quarantined: [...kinds] };
}

/** No longer than it was allowed to be. */
function within(cleaned: string, original: string): string {
  return cleaned === original ? original : cleaned.slice(0, Math.max(original.length, 64));
}

function cleanValue(value: Json | undefined, clean: (text: string) => string): Json | undefined {
  if (typeof value === 'string') return within(clean(value), value);
  if (Array.isArray(value)) return value.map((each) => cleanValue(each, clean) as Json);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      isIdentifier.test(key) ? each : (cleanValue(each, clean) as Json),
    ]),
  );
}
