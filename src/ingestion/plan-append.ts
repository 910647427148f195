export type AppendPlan =
  /** Nothing new was sent. */
  | { kind: 'duplicate' }
  /** The sent messages from this index on are new. */
  | { kind: 'append'; from: number }
  /** The histories disagree. */
  | { kind: 'conflict' };

/**
 * How a repeated capture of a stored thread relates to it, by message hashes in order: the whole visible list, an
 * earlier state of it, or a bare continuation that repeats at least the last stored message. What is known to be sent
 * whole is no bare continuation: where it begins otherwise, it was changed.
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
  // The longest overlap wins, so that a repeated "yes" at the seam is not appended twice.
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
