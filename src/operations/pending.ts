import { z } from 'zod';
import { visibilityOf } from '../auth/access.js';
import { doer } from '../auth/audit.js';
import { runYielding } from '../concurrency/yielding.js';
import { extracting } from '../facts/extract.js';
import { writeWithFacts, writeWithoutFacts } from '../indexing/facts/remember.js';
import { type ChunkText, indexNow, withText } from '../indexing/indexer.js';
import { chunkChange, headingChange, topicsOf } from '../indexing/rows.js';
import { type MemoryStatus, scopeOf } from '../model/conversation.js';
import { MemoryError } from '../model/errors.js';
import { timeAfter } from '../model/time.js';
import { putTopics } from '../records/annotations.js';
import type { Change, ChunkRow, ConversationRow } from '../records/store.js';
import { WriteConflict } from '../stores/metadata/contract.js';
import { memoryId, projectId } from './fields.js';
import { insertOutcome, outcome } from './insert/outcome.js';
import type { Call, Operation } from './operation.js';
import type { Service } from './service.js';

const input = z.strictObject({ id: memoryId, project_id: projectId.optional() });
type PendingInput = z.infer<typeof input>;

export const approvePending: Operation<PendingInput, z.infer<typeof insertOutcome>> = {
  name: 'pending_approve',
  summary: 'Approve a conversation that is held for review: it becomes visible',
  input,
  output: insertOutcome,
  async run(service, call, request) {
    const decided = await decide(service, call, request, (row, now) => approve(service, row, now));
    try {
      await tell(service, call, 'review_approved', decided.row);
      service.digests.touch(decided.row.project_id, topicsOf(decided.row));
      service.tagging?.add(decided.row.id);
      service.encoding?.add(decided.row.id);
      return outcome(decided.row, await indexNow(service, decided.moved, { fresh: false }));
    } finally {
      decided.release();
    }
  },
};

interface Approved {
  row: ConversationRow;
  moved: ChunkText[];
  /** Lets background indexing process its chunks again. */
  release: () => void;
}

async function approve(service: Service, row: ConversationRow, now: string): Promise<Approved> {
  const { review_reason: _, ...stored } = row.metadata;
  const saveIntent = row.metadata.save_intent ?? 'user_confirmed';
  const metadata = { ...stored, save_intent: saveIntent, approved_at: now, updated_at: now };
  const approved: ConversationRow = { ...row, memory_status: 'active', metadata, updated_at: now };
  const chunks = await service.records.chunks.ofConversation(row.id);
  const moved = (await withText(service.records, chunks)).map(({ chunk, text }) => ({
    chunk: { ...chunk, scope: scopeOf(row.project_id, 'active'), index_state: 'pending' as const },
    text,
  }));
  const messages = (await service.records.conversations.messagesOf([row.id])).get(row.id) ?? [];
  const statements = await runYielding(extracting({ title: row.title, messages }));
  const extraction = { row: approved, messages, statements, chunks };
  const release = service.indexer.claim(moved.map(({ chunk }) => chunk.id));
  try {
    await writeWithFacts(service, extraction, [
      decision(row, approved),
      ...moved.map(chunkChange),
      headingChange(approved),
      ...putTopics(approved, topicsOf(row)),
    ]);
    return { row: approved, moved, release };
  } catch (error) {
    release();
    throw error;
  }
}

const rejectOutput = z.object({ status: z.literal('ok'), id: z.string(), memory_status: z.literal('rejected') });

export const rejectPending: Operation<PendingInput, z.infer<typeof rejectOutput>> = {
  name: 'pending_reject',
  summary: 'Reject a conversation that is held for review: it stays hidden',
  input,
  output: rejectOutput,
  async run(service, call, request) {
    const { row, chunks } = await decide(service, call, request, (read, now) => reject(service, read, now));
    await tell(service, call, 'review_rejected', row);
    // A reindex that included inactive conversations may have put it into the vector store.
    await service.vectors.remove(chunks.filter(({ index_state }) => index_state === 'indexed'));
    return { status: 'ok', id: row.id, memory_status: 'rejected' };
  },
};

async function reject(
  service: Service,
  row: ConversationRow,
  now: string,
): Promise<{ row: ConversationRow; chunks: readonly ChunkRow[] }> {
  const metadata = { ...row.metadata, rejected_at: now, updated_at: now };
  const rejected: ConversationRow = { ...row, memory_status: 'rejected', metadata, updated_at: now };
  const chunks = await service.records.chunks.ofConversation(row.id);
  const ids = chunks.map(({ id }) => id);
  const set = { scope: scopeOf(row.project_id, 'rejected'), index_state: 'held' } as const;
  await writeWithoutFacts(service, rejected, [
    decision(row, rejected),
    { kind: 'patch', table: 'chunks', ids, set },
    { kind: 'patch', table: 'headings', ids: [row.id], set: { scope: set.scope } },
  ]);
  return { row, chunks };
}

function tell(
  { audit }: Service,
  { principal }: Call,
  event: 'review_approved' | 'review_rejected',
  { id, project_id: projectId }: ConversationRow,
): Promise<void> {
  return audit.record({ event, ...doer(principal), projectId, targets: [id] });
}

async function pendingMemory(service: Service, call: Call, { id, project_id }: PendingInput): Promise<ConversationRow> {
  const visibility = visibilityOf(call.principal, { projectId: project_id, status: 'all' });
  const row = await service.records.conversations.visible(visibility, id);
  if (row === undefined) throw new MemoryError('not_found', 'No memory with this id is visible to you');
  if (row.memory_status !== 'pending_review') throw notPending(row.memory_status);
  return row;
}

const attempts = 5;

/**
 * One decision per conversation, about its content at that moment: if it is extended, renamed or decided concurrently,
 * it is read again. Of two concurrent reviewers, the second gets an error that nothing is left to decide.
 */
async function decide<Decided>(
  service: Service,
  call: Call,
  request: PendingInput,
  write: (row: ConversationRow, now: string) => Promise<Decided>,
): Promise<Decided> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const row = await pendingMemory(service, call, request);
    try {
      return await write(row, timeAfter(row.updated_at, service.now()));
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error;
    }
  }
  throw beingWritten();
}

function decision(before: ConversationRow, { memory_status, metadata, updated_at }: ConversationRow): Change {
  return {
    kind: 'patch',
    table: 'conversations',
    ids: [before.id],
    set: { memory_status, metadata, updated_at },
    when: {
      memory_status: before.memory_status,
      updated_at: before.updated_at,
      conversation_hash: before.conversation_hash,
      // A reindex changes only the number of chunks.
      chunk_count: before.chunk_count,
    },
  };
}

function notPending(status: MemoryStatus): MemoryError {
  return new MemoryError('memory_not_pending_review', `This memory is not held for review: it is ${status}`, {
    fields: { memory_status: status },
  });
}

/** The error when every retry found the conversation changed again. */
export function beingWritten(): MemoryError {
  return new MemoryError('duplicate_conflict', 'This conversation is being changed by other writers; try again');
}
