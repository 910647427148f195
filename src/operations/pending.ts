import { z } from 'zod';
import { visibilityOf } from '../auth/access.js';
import { extracting } from '../facts/extract.js';
import type { MemoryStatus } from '../model/conversation.js';
import { MemoryError } from '../model/errors.js';
import { scopeOf } from '../model/scope.js';
import { timeAfter } from '../model/time.js';
import type { ConversationRow } from '../records/rows.js';
import { putTopics } from '../records/topics.js';
import { inTurns } from '../resilience/in-turns.js';
import { type Change, type Value, WriteConflict } from '../stores/metadata/contract.js';
import { writeWithFacts, writeWithoutFacts } from './facts/remember.js';
import { withText } from './indexer.js';
import { indexNow } from './insert/index-now.js';
import { insertOutcome, outcome } from './insert/outcome.js';
import { chunkChange, topicsOf } from './insert/rows.js';
import { memoryId } from './memory-id.js';
import type { Call, Operation } from './operation.js';
import type { Service } from './service.js';

const input = z.strictObject({ id: memoryId, project_id: z.string().optional() });
type PendingInput = z.infer<typeof input>;

export const approvePending: Operation<PendingInput, z.infer<typeof insertOutcome>> = {
  name: 'pending_approve',
  summary: 'Approve a memory that waits for review: it becomes visible',
  scope: 'memory:write',
  input,
  output: insertOutcome,
  async run(service, call, request) {
    const row = await pendingMemory(service, call, request);
    const now = service.now();
    const { review_reason: _, ...stored } = row.metadata;
    const metadata = { ...stored, save_intent: row.metadata.save_intent ?? 'user_confirmed', approved_at: now };
    const approved: ConversationRow = { ...row, memory_status: 'active', metadata };
    const topics = topicsOf(row);
    const chunks = await service.records.chunks.ofConversation(row.id);
    const texts = await withText(service.records, chunks);
    const moved = texts.map(({ chunk, text }) => ({
      chunk: { ...chunk, scope: scopeOf(row.project_id, 'active'), index_state: 'pending' },
      text,
    }));
    const messages = (await service.records.conversations.messagesOf([row.id])).get(row.id) ?? [];
    const statements = await inTurns(extracting({ title: row.title, messages }));
    const told = { row: approved, statements, chunks };
    const release = service.indexer.claim(moved.map(({ chunk }) => chunk.id));
    try {
      await decide(service, approved, (decision) =>
        writeWithFacts(service, told, [decision, ...moved.map(chunkChange), ...putTopics(approved, topics)]),
      );
      service.digests.touch(row.project_id, topics);
      return outcome(approved, await indexNow(service, moved, { fresh: false }));
    } finally {
      release();
    }
  },
};

const rejectOutput = z.object({ status: z.literal('ok'), id: z.string(), memory_status: z.literal('rejected') });

export const rejectPending: Operation<PendingInput, z.infer<typeof rejectOutput>> = {
  name: 'pending_reject',
  summary: 'Reject a memory that waits for review: it stays hidden',
  scope: 'memory:write',
  input,
  output: rejectOutput,
  async run(service, call, request) {
    const row = await pendingMemory(service, call, request);
    const rejected: ConversationRow = {
      ...row,
      memory_status: 'rejected',
      metadata: { ...row.metadata, rejected_at: service.now() },
    };
    const chunks = await service.records.chunks.ofConversation(row.id);
    const ids = chunks.map(({ id }) => id);
    const set = { scope: scopeOf(row.project_id, 'rejected'), index_state: 'held' };
    await decide(service, rejected, (decision) =>
      writeWithoutFacts(service, rejected, [decision, { kind: 'patch', table: 'chunks', ids, set }]),
    );
    // A reindex that included inactive memories may have put it into the vector store.
    const indexed = chunks.filter(({ index_state }) => index_state === 'indexed');
    await service.vectors.remove(indexed);
    return { status: 'ok', id: row.id, memory_status: 'rejected' };
  },
};

async function pendingMemory(service: Service, call: Call, { id, project_id }: PendingInput): Promise<ConversationRow> {
  const visibility = visibilityOf(call.principal, { projectId: project_id, status: 'all' });
  const row = await service.records.conversations.visible(visibility, id);
  if (row === undefined) throw new MemoryError('not_found', 'No memory with this id is visible to you');
  if (row.memory_status !== 'pending_review') throw notPending(row.memory_status);
  return row;
}

/** One decision a memory: of two reviewers at once, the second is told that there is nothing left to decide. */
async function decide(
  service: Service,
  row: ConversationRow,
  write: (decision: Change) => Promise<void>,
): Promise<void> {
  const updated_at = timeAfter(row.updated_at, service.now());
  const set = { memory_status: row.memory_status, metadata: row.metadata as Value, updated_at };
  const when = { memory_status: 'pending_review' };
  try {
    await write({ kind: 'patch', table: 'conversations', ids: [row.id], set, when });
  } catch (error) {
    if (error instanceof WriteConflict) throw notPending(undefined);
    throw error;
  }
}

function notPending(status: MemoryStatus | undefined): MemoryError {
  const now = status === undefined ? 'decided already' : status;
  const fields = status === undefined ? {} : { memory_status: status };
  return new MemoryError('memory_not_pending_review', `This memory does not wait for review: it is ${now}`, { fields });
}
