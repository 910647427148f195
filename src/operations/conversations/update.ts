import { z } from 'zod';
import { mayRead, visibilityOf } from '../../auth/access.js';
import { runYielding } from '../../concurrency/yielding.js';
import { extracting } from '../../facts/extract.js';
import { headingChange, summaryChange } from '../../indexing/rows.js';
import { enriching } from '../../ingestion/prepare.js';
import { applySecretPolicyToHeading } from '../../ingestion/secret-policy.js';
import type { Alias } from '../../model/conversation.js';
import { invalidInput, MemoryError } from '../../model/errors.js';
import { noted } from '../../model/parse.js';
import { timeAfter } from '../../model/time.js';
import { removeAliasKeys } from '../../records/aliases.js';
import type { ConversationRow } from '../../records/store.js';
import { WriteConflict } from '../../stores/metadata/contract.js';
import { memoryId, name, projectId, textUpTo } from '../fields.js';
import type { Operation } from '../operation.js';
import { beingWritten } from '../pending.js';
import { conversationOutput, presentConversation } from '../present.js';
import type { Service } from '../service.js';

const tag = noted(
  textUpTo(128)
    .trim()
    .min(1)
    .refine((text) => !/[\p{Cc}]/u.test(text), 'must not contain control characters'),
  { pattern: '^[^\\p{Cc}]*[^\\s\\p{Cc}][^\\p{Cc}]*$' },
);

const input = noted(
  z.strictObject({
    id: memoryId,
    title: name.optional().describe('The new title'),
    add_tags: z.array(tag).max(50).optional(),
    remove_tags: z.array(tag).max(50).optional(),
    project_id: projectId.optional(),
  }),
  { anyOf: ['title', 'add_tags', 'remove_tags'].map((field) => ({ required: [field] })) },
);

type Update = z.infer<typeof input>;

const output = z.object({
  status: z.literal('ok'),
  id: z.string(),
  memory: conversationOutput
    .omit({ messages: true })
    .optional()
    .describe('The conversation after the change; only for tokens that may read'),
});

export type UpdateOutput = z.infer<typeof output>;

export const updateConversation: Operation<Update, UpdateOutput> = {
  name: 'conversations_update',
  summary: 'Rename a conversation, or add and remove its tags',
  input,
  output,
  async run(service, call, sent) {
    if (sent.title === undefined && sent.add_tags === undefined && sent.remove_tags === undefined) {
      throw invalidInput('title', 'is required unless add_tags or remove_tags is given');
    }
    const { limits, secretPolicy: policy } = service.settings;
    const longest = limits.maxTitleLength;
    if (sent.title !== undefined && [...sent.title].length > longest) {
      throw invalidInput('title', `must be at most ${longest} characters long`);
    }
    const update = applySecretPolicyToHeading(sent, { policy, limits });
    const visibility = visibilityOf(call.principal, { projectId: update.project_id, status: 'all' });
    const attempts = 5;
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const row = await service.records.conversations.visible(visibility, update.id);
      if (row === undefined) throw new MemoryError('not_found', 'No memory with this id is visible to you');
      const changed = await apply(service, row, update);
      if (changed === undefined) continue;
      const memory = mayRead(call.principal) ? { memory: presentConversation(changed) } : {};
      return { status: 'ok', id: row.id, ...memory };
    }
    throw beingWritten();
  },
};

/** Undefined when the conversation was changed in the meantime: the caller retries. */
async function apply(service: Service, row: ConversationRow, update: Update): Promise<ConversationRow | undefined> {
  const messages = (await service.records.conversations.messagesOf([row.id])).get(row.id) ?? [];
  const now = timeAfter(row.updated_at, service.now());
  const title = update.title ?? row.title;
  const tags = changedTags(row.tags ?? [], update);
  const { tags: _, ...metadata } = row.metadata;
  const topics = Array.isArray(metadata.topics) ? metadata.topics.map(String) : [];
  const named = title === undefined ? {} : { title };
  const statements = await runYielding(extracting({ title, messages }));
  const said = { source: row.source, messages, statements, metadata: { tags, topics }, ...named };
  const generated = await runYielding(enriching(said));
  const aliases = withoutTags(row.aliases, update);
  const changed: ConversationRow = {
    ...row,
    ...named,
    tags,
    ...(aliases === undefined ? {} : { aliases }),
    metadata: {
      ...metadata,
      ...(tags.length === 0 ? {} : { tags }),
      ...generated,
      updated_at: now,
    },
    updated_at: now,
  };
  const set = {
    ...named,
    tags,
    ...(aliases === undefined ? {} : { aliases }),
    metadata: changed.metadata,
    updated_at: now,
  };
  const when = { updated_at: row.updated_at, conversation_hash: row.conversation_hash };
  try {
    await service.records.write([
      { kind: 'patch', table: 'conversations', ids: [row.id], set, when },
      removeAliasKeys(row, row.aliases ?? [], aliases),
      // A conversation held for review because of a secret must not be findable.
      ...(row.metadata.review_reason === undefined ? [headingChange(changed)] : []),
      summaryChange(changed, now),
    ]);
    return changed;
  } catch (error) {
    if (error instanceof WriteConflict) return undefined;
    throw error;
  }
}

/** Existing tags keep their position; new ones follow in the given order. */
function changedTags(before: readonly string[], { add_tags = [], remove_tags = [] }: Update): string[] {
  const gone = new Set(remove_tags);
  return [...new Set([...before.filter((each) => !gone.has(each)), ...add_tags])];
}

/** A removed tag is removed from every alias of the conversation too. */
function withoutTags(aliases: readonly Alias[] | undefined, { remove_tags = [] }: Update): Alias[] | undefined {
  const gone = new Set(remove_tags);
  return aliases?.map(({ tags, ...alias }) => {
    const kept = tags?.filter((each) => !gone.has(each)) ?? [];
    return kept.length === 0 ? alias : { ...alias, tags: kept };
  });
}
