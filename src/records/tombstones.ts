import { createHash } from 'node:crypto';
import type { RowOf } from '../model/tables.js';
import { type Change, type Condition, eq, type RecordStore } from './store.js';

/** The id is that of the forgotten conversation. */
export type Tombstone = RowOf<'tombstones'>;

/** What identifies a conversation. Only hashes of it are stored. */
export interface Traces {
  projectId: string;
  source: string;
  upstreamThreadId?: string | undefined;
  messages: readonly { hash: string; text: string }[];
  /** Where it was captured again. */
  others?: readonly { source: string; upstreamThreadId?: string | undefined }[];
}

export type TombstoneRecords = ReturnType<typeof tombstoneRecords>;

export function tombstoneRecords(store: RecordStore) {
  const find = (where: Condition<'tombstones'>[]) => store.find('tombstones', { where });

  return {
    /** The id under which this conversation, or a shorter version of it, was forgotten; undefined when it was not. */
    async coveredBy(traces: Traces): Promise<string | undefined> {
      const project = eq('project_id', traces.projectId);
      const thread = threadOf(traces);
      const [opened, threaded] = await Promise.all([
        find([project, { field: 'opening', is: 'eq', value: openingOf(traces) }]),
        thread === undefined ? [] : find([project, { field: 'thread', is: 'eq', value: thread }]),
      ]);
      return (threaded[0] ?? opened.find((stone) => isOf(stone, traces)))?.id;
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

/** Identical conversations match, no matter who sends them; one that only starts the same must meet further conditions. */
function isOf(stone: Tombstone, traces: Traces): boolean {
  const { message_count: count } = stone;
  if (stone.content !== contentOf(traces, count)) return false;
  if (count === traces.messages.length) return true;
  const thread = threadOf(traces);
  if (thread !== undefined && stone.other_threads?.includes(thread)) return true;
  // Both are in a thread, but not in the same one.
  if (stone.thread !== undefined && traces.upstreamThreadId !== undefined) return false;
  const source = sourceOf(traces);
  if (stone.source !== undefined && stone.source !== source && !stone.other_sources?.includes(source)) return false;
  return isDistinctive(traces.messages.slice(0, count));
}

/**
 * Many conversations start with a greeting or a short question and the same answer. A third message, or an exchange of
 * more than a sentence or two, does not match by chance.
 */
function isDistinctive(messages: Traces['messages']): boolean {
  return messages.length >= 3 || messages.reduce((sum, { text }) => sum + text.length, 0) >= 100;
}

export function putTombstone(id: string, traces: Traces, now: string): Change {
  const thread = threadOf(traces);
  const others = (traces.others ?? []).map((other) => ({ ...other, projectId: traces.projectId }));
  const otherThreads = [...new Set(others.flatMap((other) => threadOf(other) ?? []))];
  const stone: Tombstone = {
    id,
    project_id: traces.projectId,
    opening: openingOf(traces),
    content: contentOf(traces, traces.messages.length),
    message_count: traces.messages.length,
    source: sourceOf(traces),
    ...(thread === undefined ? {} : { thread }),
    ...(others.length === 0 ? {} : { other_sources: [...new Set(others.map(sourceOf))] }),
    ...(otherThreads.length === 0 ? {} : { other_threads: otherThreads }),
    forgotten_at: now,
  };
  return { kind: 'put', table: 'tombstones', row: stone };
}

/** Hashed again with the project, so that a tombstone does not confirm a guessed text. */
function openingOf({ projectId, messages }: Traces): string {
  return digest([projectId, 'opening', messages[0]?.hash ?? '']);
}

function contentOf({ projectId, messages }: Traces, count: number): string {
  const first = messages.slice(0, count);
  return digest([projectId, 'content', ...first.map(({ hash }) => hash), String(first.length)]);
}

type Origin = Pick<Traces, 'projectId' | 'source' | 'upstreamThreadId'>;

function sourceOf({ projectId, source }: Origin): string {
  return digest([projectId, 'source', source]);
}

function threadOf({ projectId, source, upstreamThreadId }: Origin): string | undefined {
  return upstreamThreadId === undefined ? undefined : digest([projectId, 'thread', source, upstreamThreadId]);
}

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex');
}
