import { createHash } from 'node:crypto';
import type { Change, Condition, MetadataStore, Row } from '../stores/metadata/contract.js';

export interface Tombstone {
  /** The id of the conversation that was forgotten. */
  id: string;
  project_id: string;
  opening: string;
  content: string;
  message_count: number;
  thread?: string;
  forgotten_at: string;
}

/** A conversation by its hashes alone. */
export interface Traces {
  projectId: string;
  source: string;
  upstreamThreadId?: string | undefined;
  messageHashes: readonly string[];
}

export type TombstoneRecords = ReturnType<typeof tombstoneRecords>;

export function tombstoneRecords(store: MetadataStore) {
  const find = async (where: Condition[]) => (await store.find('tombstones', { where })) as unknown as Tombstone[];

  return {
    /** Whether this conversation, or a shorter form of it, was forgotten. */
    async covers(traces: Traces): Promise<boolean> {
      const project: Condition = { field: 'project_id', is: 'eq', value: traces.projectId };
      const thread = threadOf(traces);
      const [opened, threaded] = await Promise.all([
        find([project, { field: 'opening', is: 'eq', value: openingOf(traces) }]),
        thread === undefined ? [] : find([project, { field: 'thread', is: 'eq', value: thread }]),
      ]);
      return threaded.length > 0 || opened.some((stone) => stone.content === contentOf(traces, stone.message_count));
    },

    async byIds(projectId: string, ids: readonly string[]): Promise<Tombstone[]> {
      if (ids.length === 0) return [];
      return find([
        { field: 'project_id', is: 'eq', value: projectId },
        { field: 'id', is: 'in', value: ids },
      ]);
    },
  };
}

export function putTombstone(id: string, traces: Traces, now: string): Change {
  const thread = threadOf(traces);
  const stone: Tombstone = {
    id,
    project_id: traces.projectId,
    opening: openingOf(traces),
    content: contentOf(traces, traces.messageHashes.length),
    message_count: traces.messageHashes.length,
    ...(thread === undefined ? {} : { thread }),
    forgotten_at: now,
  };
  return { kind: 'put', table: 'tombstones', row: stone as unknown as Row };
}

/** Hashed again with the project: a tombstone must not tell somebody who can guess the text that it was here. */
function openingOf({ projectId, messageHashes }: Traces): string {
  return digest([projectId, 'opening', messageHashes[0] ?? '']);
}

function contentOf({ projectId, messageHashes }: Traces, count: number): string {
  return digest([
    projectId,
    'content',
    ...messageHashes.slice(0, count),
    String(Math.min(count, messageHashes.length)),
  ]);
}

function threadOf({ projectId, source, upstreamThreadId }: Traces): string | undefined {
  return upstreamThreadId === undefined ? undefined : digest([projectId, 'thread', source, upstreamThreadId]);
}

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex');
}
