import { createHash } from 'node:crypto';
import type { EmbeddingDescription } from './contract.js';
import { withoutSecrets } from './request.js';

export interface FingerprintParts {
  embedding: EmbeddingDescription;
  vectorIndex: { provider: string; id: string; distance: string };
}

/** Contains no secrets, because it is stored beside the digest and shown in diagnostics. */
export type FingerprintDescription = {
  embedding: EmbeddingDescription;
  vector_index: { provider: string; id: string; distance: string };
};

/**
 * Identifies everything that must stay the same for stored vectors to remain comparable with new ones. The digest
 * covers the redacted description, so it can be verified from the description, and a changed key does not change it.
 */
export function fingerprint({ embedding, vectorIndex }: FingerprintParts): {
  digest: string;
  description: FingerprintDescription;
} {
  const { provider, model, dimension, options } = embedding;
  const description: FingerprintDescription = {
    embedding: {
      provider,
      model,
      dimension,
      options: Object.fromEntries(Object.entries(options).map(([name, value]) => [name, redact(name, value)])),
    },
    vector_index: {
      provider: vectorIndex.provider,
      id: redact('id', vectorIndex.id),
      distance: vectorIndex.distance,
    },
  };
  return { digest: createHash('sha256').update(canonicalJson(description)).digest('hex'), description };
}

// Only strings can be secrets: "max_tokens: 512" is a setting that changes the vectors.
function redact<Value extends string | number | boolean>(name: string, value: Value): Value | string {
  if (typeof value !== 'string') return value;
  if (/key|secret|password|token/i.test(name)) return '[redacted]';
  return value.includes('://') && URL.canParse(value) ? publicPart(new URL(value)) : value;
}

/** URLs such as `redis://` have no origin, so the host is used for them. */
function publicPart(url: URL): string {
  return url.origin === 'null' ? `${url.protocol}//${url.host}${url.pathname}` : withoutSecrets(url);
}

/** JSON with sorted object keys, so that equal content gives equal text. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (isPlainObject(part) ? sorted(part) : part));
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}
