import { errorFaces, MemoryError } from '../model/errors.js';

export interface ErrorBody {
  status: 'error';
  error_code: string;
  error_message: string;
  /** The same message, for clients that read this key. */
  detail: string;
  issues?: { path: string; message: string }[];
  request_id: string;
  [field: string]: unknown;
}

/** The one place that turns an error into a response. Unexpected errors get a fixed message. */
export function errorAnswer(
  error: unknown,
  requestId: string,
  challenge: ChallengeSettings = {},
): { status: number; body: ErrorBody; headers: Record<string, string> } {
  const known = error instanceof MemoryError ? error : unforeseen;
  const body: ErrorBody = {
    status: 'error',
    error_code: known.code,
    error_message: known.message,
    detail: known.message,
    ...(known.issues === undefined ? {} : { issues: known.issues }),
    ...known.fields,
    request_id: requestId,
  };
  return { status: errorFaces[known.code].http, body, headers: headersOf(known, challenge) };
}

const unforeseen = new MemoryError('internal_error', 'Something went wrong on our side; the log has the request id');

function headersOf(error: MemoryError, settings: ChallengeSettings): Record<string, string> {
  const challenge = challengeOf(error, settings);
  if (challenge !== undefined) return { 'www-authenticate': challenge };
  // The rest of an oversized body is not read, so the connection cannot be reused.
  if (error.code === 'payload_too_large') return { connection: 'close' };
  if (error.code === 'rate_limited' || errorFaces[error.code].http === 503) {
    return { 'retry-after': error.fields.retry_after ?? '1' };
  }
  return {};
}

interface ChallengeSettings {
  /** The scope that the route requires. */
  scope?: string | undefined;
  /** The URL of the RFC 9728 metadata. */
  resourceMetadata?: string | undefined;
}

/** The `WWW-Authenticate` header of RFC 6750 when authentication would change the answer; otherwise undefined. */
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

/** Removes characters that are not allowed in a quoted header string; none of our values contain any. */
function quotable(value: string): string {
  return value.replace(/[^\x20-\x7e]/g, '').replace(/["\\]/g, '\\$&');
}
