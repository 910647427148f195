import type { Json } from '../model/json.js';
import type { Limits } from '../model/limits.js';
import type { NormalisedConversation } from './normalise.js';
import type { SecretKind } from './secret-forms.js';
import { findSecrets } from './secrets.js';
import { cut } from './summarise.js';

export type SecretPolicy = 'off' | 'redact' | 'quarantine';

type HeadLimits = Pick<Limits, 'max_title_length' | 'max_summary_length'>;

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
export function guardSecrets(
  conversation: NormalisedConversation,
  { policy, limits }: { policy: SecretPolicy; limits: HeadLimits },
): Guarded {
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
  const cleaned = cleanValue(metadata, clean) as NormalisedConversation['metadata'];
  const { summary } = cleaned;
  // A mark may be longer than what it stands for.
  const redacted: NormalisedConversation = {
    ...conversation,
    ...(title === undefined ? {} : { title: cut(clean(title), limits.max_title_length) }),
    messages: messages.map((message) => ({ ...message, text: clean(message.text) })),
    metadata: { ...cleaned, ...(summary === undefined ? {} : { summary: cut(summary, limits.max_summary_length) }) },
  };
  if (policy === 'redact')
    return { conversation: count === 0 ? conversation : redacted, redacted: count, quarantined: [] };
  return { conversation, redacted: 0, quarantined: [...kinds] };
}

function cleanValue(value: Json | undefined, clean: (text: string) => string): Json | undefined {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((each) => cleanValue(each, clean) as Json);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      isIdentifier.test(key) ? each : (cleanValue(each, clean) as Json),
    ]),
  );
}
