import { visibilityOf } from '../auth/access.js';
import type { ImportedConversation } from '../importers/contract.js';
import { type InsertPolicy, statusByPolicy } from '../ingestion/prepare.js';
import type { Alias, Limits } from '../model/conversation.js';
import { MemoryError } from '../model/errors.js';
import { WriteConflict } from '../stores/metadata/contract.js';
import { decide } from './insert/decide.js';
import { insert, prepareFor } from './insert/insert.js';
import { keepAlias } from './insert/keep-alias.js';
import type { InsertOutcome } from './insert/outcome.js';
import type { Call } from './operation.js';
import { rejectPending } from './pending.js';
import type { Service } from './service.js';

export interface ImportOutcome extends Pick<InsertOutcome, 'deduplicated' | 'appended_messages'> {
  /** Absent if the conversation was only counted. */
  id?: string;
  /** How many of its aliases could not be kept. */
  aliasesLeftOut?: number;
}

/** Stores one conversation of an import, or reports what storing it would do. */
export async function storeImported(
  service: Service,
  call: Call,
  { memoryStatus = 'active', project, aliases = [], ...imported }: ImportedConversation,
  { dryRun = false, policy = 'permissive' }: { dryRun?: boolean; policy?: InsertPolicy },
): Promise<ImportOutcome> {
  const inProject = project === undefined ? {} : { project_id: project };
  const conversation = { ...imported, ...inProject };
  const insertPolicy = memoryStatus === 'active' ? policy : policyOfHidden(policy, conversation);
  const importing = { ...service, settings: { ...service.settings, insertPolicy, sentWhole: true } };
  const isOurs = conversation.id !== undefined;
  if (dryRun) return beside(importing, isOurs, (trusting) => foresee(trusting, call, conversation));
  const outcome = await beside(importing, isOurs, (trusting) => insert.run(trusting, call, conversation));
  let aliasesLeftOut = 0;
  for (const alias of aliases) {
    if (!(await keepImported(importing, call, { id: outcome.id, conversation, alias }))) aliasesLeftOut += 1;
  }
  if (memoryStatus === 'rejected' && outcome.memory_status === 'pending_review') {
    await rejectPending.run(service, call, { id: outcome.id, ...inProject });
  }
  return { ...outcome, aliasesLeftOut };
}

/** A conversation held for review elsewhere is held here too, and does not bypass a policy that rejects it. */
function policyOfHidden(policy: InsertPolicy, { metadata }: ImportedConversation): InsertPolicy {
  const intent = metadata.save_intent;
  statusByPolicy(policy, intent === undefined ? undefined : String(intent));
  return 'always_review';
}

/**
 * An import of the user's own files is trusted: a conversation that has grown is continued, and one whose earlier turns
 * were edited is stored as a second version in the same thread. A conversation with one of our ids is always separate,
 * even if another capture of its thread is stored; only the conversation with that id is continued.
 */
async function beside<Outcome>(
  service: Service,
  isOurs: boolean,
  store: (service: Service) => Promise<Outcome>,
): Promise<Outcome> {
  const storeWith = (allowTrustedAppends: boolean): Promise<Outcome> =>
    store({ ...service, settings: { ...service.settings, allowTrustedAppends } });
  try {
    return await storeWith(!isOurs);
  } catch (error) {
    if (!(error instanceof MemoryError) || error.fields.reason === 'forgotten') throw error;
    if (error.code !== (isOurs ? 'unauthorized_update' : 'duplicate_conflict')) throw error;
    return storeWith(isOurs);
  }
}

/** What an insert would do, including rejections. */
async function foresee(service: Service, call: Call, conversation: ImportedConversation): Promise<ImportOutcome> {
  const prepared = await prepareFor(service, call, conversation);
  const decision = await decide(service, call, prepared);
  const from = decision.kind === 'append' ? decision.from : prepared.conversation.messages.length;
  return {
    deduplicated: decision.kind === 'duplicate',
    appended_messages: prepared.conversation.messages.length - from,
  };
}

/** An alias in an export describes a capture; it is validated as one, with a single turn instead of all messages. */
async function keepImported(
  service: Service,
  call: Call,
  { id, conversation, alias }: { id: string; conversation: ImportedConversation; alias: Alias },
): Promise<boolean> {
  const { added_at, source, title, timestamp, ...metadata } = alias;
  const sent = { ...conversation, id, source, title, timestamp, metadata, messages: conversation.messages.slice(0, 1) };
  const attempts = 5;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    try {
      const said = { source: true, timestamp: timestamp !== undefined };
      const prepared = { ...(await prepareFor(service, call, sent)), said };
      const visibility = visibilityOf(call.principal, { projectId: prepared.projectId, status: 'all' });
      const stored = await service.records.conversations.visible(visibility, id);
      if (stored === undefined) return false;
      const { outcome } = await keepAlias(service, stored, prepared, added_at === '' ? undefined : added_at);
      return outcome.alias_left_out === undefined;
    } catch (error) {
      // The conversation is stored all the same, even if the alias is invalid.
      if (error instanceof MemoryError && error.code === 'invalid_input') return false;
      if (!(error instanceof WriteConflict)) throw error;
    }
  }
  return false;
}

type ImportLimits = Pick<Limits, 'maxMessages' | 'maxMessageBytes' | 'maxTitleLength' | 'maxSourceLength'>;

/**
 * Content of other programs is not rejected for its size: a turn that is too long is split into several of the same
 * role, and a conversation with too many turns into several of one thread. The same export is always split the same
 * way.
 */
export function fitted(conversation: ImportedConversation, limits: ImportLimits): ImportedConversation[] {
  const { title, source, aliases } = conversation;
  const messages = conversation.messages.flatMap((message) =>
    pieces(message.text, limits.maxMessageBytes).map((piece) => ({ ...message, text: piece })),
  );
  const short = {
    ...conversation,
    source: source.slice(0, limits.maxSourceLength),
    ...(title === undefined ? {} : { title: cut(title, limits.maxTitleLength) }),
    ...(aliases === undefined ? {} : { aliases: aliases.map((alias) => named(alias, limits)) }),
  };
  if (messages.length <= limits.maxMessages) return [{ ...short, messages }];
  const parts = Array.from({ length: Math.ceil(messages.length / limits.maxMessages) }, (_, index) =>
    messages.slice(index * limits.maxMessages, (index + 1) * limits.maxMessages),
  );
  return parts.map((part, index) => (index === 0 ? { ...short, messages: part } : laterPart(short, part, index + 1)));
}

function named(alias: Alias, limits: ImportLimits): Alias {
  const source = alias.source.slice(0, limits.maxSourceLength);
  return {
    ...alias,
    source,
    ...(alias.title === undefined ? {} : { title: cut(alias.title, limits.maxTitleLength) }),
  };
}

function laterPart(
  { id: _, aliases: __, ...conversation }: ImportedConversation,
  messages: ImportedConversation['messages'],
  part: number,
): ImportedConversation {
  const { upstream_thread_id: thread, ...metadata } = conversation.metadata;
  if (thread === undefined) return { ...conversation, messages, metadata: { ...metadata, part } };
  const thread_id = metadata.thread_id ?? `${conversation.source}:${thread}`;
  return {
    ...conversation,
    messages,
    metadata: { ...metadata, part, upstream_thread_id: `${thread}#part${part}`, thread_id },
  };
}

/** Pieces of at most this many bytes, split at a line break if there is one nearby. */
function pieces(text: string, maxBytes: number): string[] {
  // A UTF-16 code unit takes at most three bytes in UTF-8.
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return [text];
  const bytes = Buffer.from(text);
  const found: string[] = [];
  for (let from = 0; from < bytes.length; ) {
    let end = Math.min(from + maxBytes, bytes.length);
    // Not inside a multi-byte character.
    while (end < bytes.length && end > from && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
    const line = end < bytes.length ? bytes.lastIndexOf(0x0a, end - 1) + 1 : 0;
    if (line > from + maxBytes * 0.75) end = line;
    found.push(bytes.toString('utf8', from, end));
    from = end;
  }
  return found.filter((piece) => piece.trim() !== '');
}

function cut(text: string, most: number): string {
  const signs = [...text];
  return signs.length <= most ? text : `${signs.slice(0, most - 1).join('')}…`;
}
