import type { InsertOutcome } from '../operations/insert/outcome.js';
import type { Invocation } from './command.js';
import { perform } from './perform.js';
import { columns, counted, type Style } from './style.js';

export type HandInserted = InsertOutcome & { dry_run?: true };

/** Stores a conversation that a person hands in at the keyboard. */
export async function insertByHand(
  caller: Pick<Invocation, 'shared' | 'secrets'>,
  payload: unknown,
): Promise<HandInserted> {
  const { value, dryRun } = await perform(caller, 'insert', payload);
  return dryRun ? { ...value, dry_run: true } : value;
}

export function storedText(outcome: HandInserted, style: Style): string {
  const { id, chunks, memory_status: status } = outcome;
  return [
    style.strong(headline(outcome)),
    columns(
      [
        ['id', id],
        ['chunks', indexedChunks(outcome, chunks)],
        ['status', status],
      ],
      style,
    ),
  ].join('\n');
}

function headline(outcome: HandInserted): string {
  if (outcome.dry_run) return 'Dry run: it would be accepted, and nothing was stored';
  if (outcome.appended_messages > 0) return `Appended ${counted(outcome.appended_messages, 'message')}`;
  return outcome.deduplicated ? 'Already stored' : 'Stored';
}

function indexedChunks(outcome: HandInserted, chunks: number): string {
  return outcome.indexing === 'pending'
    ? `${chunks}, not indexed yet; a server does it when it starts, or threadkeep reindex`
    : String(chunks);
}
