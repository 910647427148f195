import { headingChange } from '../../indexing/rows.js';
import type { PreparedConversation } from '../../ingestion/prepare.js';
import { findSecrets } from '../../ingestion/secrets.js';
import type { Alias } from '../../model/conversation.js';
import { timeAfter, utcTime } from '../../model/time.js';
import { aliasTimes, putAliasKeys } from '../../records/aliases.js';
import type { ConversationRow } from '../../records/store.js';
import type { Service } from '../service.js';
import type { InsertOutcome } from './outcome.js';

/** Per conversation. More indicate a client that sends a new title each time. */
const mostAliases = 100;

/** A capture, and whether it stated its source and time itself. */
export interface Capture extends PreparedConversation {
  said: { source: boolean; timestamp: boolean };
}

interface Kept {
  row: ConversationRow;
  /** Why the alias was not kept, for the response. */
  outcome: Pick<InsertOutcome, 'alias_left_out'>;
}

/**
 * The first capture of some content is canonical. The source, thread, title, manual tags and time of a later capture
 * are kept as an alias if they are new. Throws WriteConflict when the conversation changed in the meantime.
 */
export async function keepAlias(
  service: Service,
  stored: ConversationRow,
  prepared: Capture,
  addedAt?: string,
): Promise<Kept> {
  const alias = aliasOf(stored, prepared, addedAt ?? service.now());
  const known = stored.aliases ?? [];
  if (!addsTo(stored, alias)) return { row: stored, outcome: {} };
  if (mustWait(stored, prepared, alias)) return { row: stored, outcome: { alias_left_out: 'review' } };
  if (known.length >= mostAliases) return { row: stored, outcome: { alias_left_out: 'limit' } };
  const updated_at = timeAfter(stored.updated_at, service.now());
  const row: ConversationRow = {
    ...stored,
    aliases: [...known, alias],
    metadata: { ...stored.metadata, updated_at },
    updated_at,
  };
  const { id, aliases, metadata } = row;
  await service.records.write([
    {
      kind: 'patch',
      table: 'conversations',
      ids: [id],
      set: { aliases, metadata, updated_at },
      when: { updated_at: stored.updated_at, conversation_hash: stored.conversation_hash },
    },
    ...putAliasKeys(row, [alias]),
    // A conversation held for review because of a secret must not be findable.
    ...(row.metadata.review_reason === undefined ? [headingChange(row)] : []),
  ]);
  return { row, outcome: {} };
}

/** Defaults do not count as stated by the capture. */
function aliasOf(stored: ConversationRow, { conversation, said }: Capture, added_at: string): Alias {
  const { source, title, timestamp, metadata } = conversation;
  const { thread_id, upstream_thread_id, tags = [] } = metadata;
  return {
    source: said.source ? source : stored.source,
    ...(title === undefined ? {} : { title }),
    ...(said.timestamp ? { timestamp } : {}),
    ...(thread_id === undefined ? {} : { thread_id }),
    ...(upstream_thread_id === undefined ? {} : { upstream_thread_id }),
    ...(tags.length === 0 ? {} : { tags: [...new Set(tags)] }),
    added_at,
  };
}

/** Whether the alias adds anything to the conversation and its other aliases. */
function addsTo(stored: ConversationRow, alias: Alias): boolean {
  const known = [stored, ...(stored.aliases ?? [])];
  const at = alias.timestamp === undefined ? undefined : utcTime(alias.timestamp);
  const tags = new Set(known.flatMap((each) => each.tags ?? []));
  return (
    known.every(({ source }) => source !== alias.source) ||
    (alias.title !== undefined && known.every(({ title }) => title !== alias.title)) ||
    (alias.thread_id !== undefined && known.every(({ thread_id }) => thread_id !== alias.thread_id)) ||
    (at !== undefined && ![stored.at, ...aliasTimes(stored)].includes(at)) ||
    (alias.tags ?? []).some((tag) => !tags.has(tag))
  );
}

/** Aliases are not reviewed: an alias that a policy would hold must not appear with an active conversation. */
function mustWait(
  stored: ConversationRow,
  { statusByPolicy, quarantined }: PreparedConversation,
  { title = '', tags = [], thread_id = '' }: Alias,
): boolean {
  if (stored.memory_status === 'active' && statusByPolicy !== 'active') return true;
  return quarantined && findSecrets([title, thread_id, ...tags].join('\n')).count > 0;
}
