import type { Found } from '../../importers/contract.js';

interface Ahead {
  /** How many characters of messages may be queued. */
  characters?: number;
  /** Called once with the number of conversations, as soon as the last one is read. */
  onTotal(total: number): Promise<void>;
}

/** About ten thousand conversations: most exports are completely counted before the first hundred are stored. */
const usualCharacters = 32_000_000;

/**
 * Reads an export ahead of storing, which takes far longer, so that its conversations are counted early and the file
 * is parsed only once. If an export has more text than may be queued, the count comes later. An error is thrown after
 * the entries read before it; then there is no count.
 */
export async function* readAhead(
  found: AsyncIterable<Found>,
  { characters = usualCharacters, onTotal }: Ahead,
): AsyncGenerator<Found> {
  const waiting: Found[] = [];
  let size = 0;
  let state: 'reading' | 'ended' | 'left' = 'reading';
  let failure: { error: unknown } | undefined;
  let wake = (): void => {};
  /** Resolves when the other side has added or taken something. */
  const change = (): Promise<void> =>
    new Promise((resolve) => {
      const others = wake;
      wake = () => {
        others();
        resolve();
      };
    });
  const changed = (): void => {
    const sleepers = wake;
    wake = () => {};
    sleepers();
  };

  async function read(): Promise<void> {
    let total = 0;
    for await (const each of found) {
      // An entry larger than the whole queue is passed on alone.
      while (state === 'reading' && size > 0 && size + sizeOf(each) > characters) await change();
      if (state === 'left') return;
      if (each.kind === 'conversation') total += 1;
      waiting.push(each);
      size += sizeOf(each);
      changed();
    }
    await onTotal(total);
  }

  const reading = read()
    .catch((error: unknown) => {
      failure = { error };
    })
    .finally(() => {
      if (state === 'reading') state = 'ended';
      changed();
    });
  try {
    while (waiting.length > 0 || state === 'reading') {
      if (waiting.length === 0) await change();
      // Taken from the end, which is faster than from the beginning of a long list.
      const batch = waiting.splice(0).reverse();
      for (let next = batch.pop(); next !== undefined; next = batch.pop()) {
        size -= sizeOf(next);
        changed();
        yield next;
      }
    }
    if (failure !== undefined) throw failure.error;
  } finally {
    // The consumer stops early: the reader closes its file.
    state = 'left';
    changed();
    await reading;
  }
}

function sizeOf(entry: Found): number {
  if (entry.kind !== 'conversation') return 1;
  return entry.conversation.messages.reduce((sum, { text }) => sum + text.length, 1);
}
