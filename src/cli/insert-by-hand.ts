import type { InsertOutcome } from '../operations/insert/outcome.js';
import type { Opened } from './open.js';
import { columns, counted, type Style } from './style.js';

export type HandInserted = InsertOutcome & { dry_run?: true };

/**
 * Stores a conversation that a person hands in at the keyboard. The insert policy is for clients that save on their own
 * (the interface names API and MCP): whoever runs a command has decided already.
 */
export async function insertByHand({ config, runtime, call }: Opened, payload: unknown): Promise<HandInserted> {
  const { operations } = await import('../operations/table.js');
  const settings = { ...runtime.service.settings, insertPolicy: 'permissive' as const };
  const outcome = await operations.insert.execute({ ...runtime.service, settings }, call, payload);
  return config.storage.dry_run ? { ...outcome, dry_run: true } : outcome;
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
