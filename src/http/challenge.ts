import type { MemoryError } from '../model/errors.js';

export interface ChallengeSettings {
  /** The scope that the route asks for. */
  scope?: string | undefined;
  /** Where RFC 9728 metadata says who issues tokens for this service. */
  resourceMetadata?: string | undefined;
}

/** The `WWW-Authenticate` of RFC 6750 for an answer that a token would change; undefined for every other answer. */
export function challengeOf(error: MemoryError, { scope, resourceMetadata }: ChallengeSettings): string | undefined {
  if (error.code !== 'unauthenticated' && error.code !== 'insufficient_scope') return undefined;
  const known = error.code === 'unauthenticated' ? error.fields.auth_error : 'insufficient_scope';
  const parameters: [string, string | undefined][] = [
    ['realm', 'threadkeep'],
    ['error', known],
    ['scope', error.fields.required_scope ?? scope],
    ['resource_metadata', resourceMetadata],
  ];
  const written = parameters.flatMap(([name, value]) => (value === undefined ? [] : [`${name}="${quotable(value)}"`]));
  return `Bearer ${written.join(', ')}`;
}

/** What may stand in a quoted string of a header; the rest is left out, as no value of ours holds any. */
function quotable(value: string): string {
  return value.replace(/[^\x20-\x7e]/g, '').replace(/["\\]/g, '\\$&');
}
