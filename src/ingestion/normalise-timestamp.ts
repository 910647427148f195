import { invalidInput } from '../model/errors.js';
import { utcTime } from '../model/time.js';

/** The time of a conversation or of a message, kept as it was sent. */
export function normaliseTimestamp(timestamp: unknown, path: string): string {
  if (typeof timestamp === 'string' && utcTime(timestamp) !== undefined) return timestamp.trim();
  throw invalidInput(path, 'must be an RFC 3339 time such as 2026-11-15T09:30:00Z, or a date such as 2026-11-15');
}
