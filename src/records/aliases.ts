import { createHash } from 'node:crypto';
import type { Alias } from '../model/conversation.js';
import { timeOf } from '../model/conversation.js';
import type { AliasKind } from '../model/tables.js';
import { utcTime } from '../model/time.js';
import { type ChangeOf, type Condition, type ConversationRow, eq, type MessageRow, type RecordStore } from './store.js';

type Keyed = Pick<ConversationRow, 'id' | 'project_id'>;

/** The key rows by which a conversation is found under its aliases. */
export function putAliasKeys(row: Keyed, aliases: readonly Alias[]): ChangeOf<'alias_keys'>[] {
  return keysOf(row, aliases).map(({ id, kind, value }) => ({
    kind: 'put',
    table: 'alias_keys',
    row: { id, project_id: row.project_id, conversation_id: row.id, kind, value },
  }));
}

/** Removes the key rows of these aliases, except those that the `kept` aliases still need. */
export function removeAliasKeys(
  row: Keyed,
  aliases: readonly Alias[],
  kept: readonly Alias[] = [],
): ChangeOf<'alias_keys'> {
  const needed = new Set(keysOf(row, kept).map(({ id }) => id));
  const ids = keysOf(row, aliases).map(({ id }) => id);
  return { kind: 'remove', table: 'alias_keys', ids: ids.filter((id) => !needed.has(id)) };
}

/** The times of a conversation's aliases, in UTC. */
export function aliasTimes({ aliases = [] }: Pick<ConversationRow, 'aliases'>): string[] {
  return aliases.flatMap(({ timestamp }) => (timestamp === undefined ? [] : (utcTime(timestamp) ?? [])));
}

interface Key {
  id: string;
  kind: AliasKind;
  value: string;
}

function keysOf(row: Keyed, aliases: readonly Alias[]): Key[] {
  const key = (kind: AliasKind, value: string): [string, Key] => {
    const id = `${row.id}:${kind}:${value}`;
    return [id, { id, kind, value }];
  };
  const named = (kind: NameKind, name: string) => key(kind, hashOf(row.project_id, kind, name));
  const keys = new Map(
    aliases.flatMap(({ source, thread_id, tags = [] }) => [
      named('source', source),
      ...(thread_id === undefined ? [] : [named('thread', thread_id)]),
      ...tags.map((tag) => named('tag', tag)),
    ]),
  );
  for (const at of aliasTimes({ aliases: [...aliases] })) keys.set(...key('time', at));
  return [...keys.values()];
}

/** Names are looked up by hash: they may have any length and characters, and are not stored here. */
function hashOf(projectId: string, kind: AliasKind, name: string): string {
  return createHash('sha256').update([projectId, kind, name].join('\n')).digest('hex');
}

type Where = Condition<'conversations'>[];

/** The part of a filter that aliases can satisfy. */
export interface NameFilter {
  source?: string;
  sources?: readonly string[];
  threadId?: string;
  tags?: readonly string[];
}

type NameKind = Exclude<AliasKind, 'time'>;

/** The names that a filter asks for, each with the condition the conversation itself would meet. */
function wantedNames({ source, sources, threadId, tags = [] }: NameFilter) {
  const wanted: { own: Where; kind: NameKind; names: readonly string[] }[] = [];
  if (source !== undefined) wanted.push({ own: [eq('source', source)], kind: 'source', names: [source] });
  if (sources !== undefined) {
    wanted.push({ own: [{ field: 'source', is: 'in', value: sources }], kind: 'source', names: sources });
  }
  if (threadId !== undefined) wanted.push({ own: [eq('thread_id', threadId)], kind: 'thread', names: [threadId] });
  for (const tag of tags) wanted.push({ own: [{ field: 'tags', is: 'has', value: tag }], kind: 'tag', names: [tag] });
  return wanted;
}

/** The filter's conditions for a conversation's own names, without aliases. */
export function ownNames(filter: NameFilter): Where {
  return wantedNames(filter).flatMap(({ own }) => own);
}

/**
 * The filter's conditions, each met by the conversation itself or by an alias. Aliases are rare: when none match, the
 * condition is the same as without them, and as fast.
 */
export function aliasConditions(store: RecordStore, projectId: string) {
  const idsOf = async (where: Condition<'alias_keys'>[]): Promise<string[]> => {
    const found = await store.find('alias_keys', {
      where: [eq('project_id', projectId), ...where],
      fields: ['conversation_id'],
    });
    return [...new Set(found.map(({ conversation_id }) => conversation_id))];
  };
  const orOneOf = (own: Where, ids: readonly string[]): Where =>
    ids.length === 0 ? own : [{ is: 'either', of: [own, [{ field: 'id', is: 'in', value: ids }]] }];
  const namedSo = (kind: NameKind, names: readonly string[]) =>
    idsOf([eq('kind', kind), { field: 'value', is: 'in', value: names.map((name) => hashOf(projectId, kind, name)) }]);
  return {
    async named(filter: NameFilter): Promise<Where> {
      const wanted = wantedNames(filter);
      const ids = await Promise.all(wanted.map(({ kind, names }) => namedSo(kind, names)));
      return wanted.flatMap(({ own }, index) => orOneOf(own, ids[index] ?? []));
    },

    /** The conversations with an alias whose time is in this period. */
    async idsWithin({ from, to }: { from?: string | undefined; to?: string | undefined }): Promise<string[]> {
      if (from === undefined && to === undefined) return [];
      return idsOf([
        eq('kind', 'time'),
        ...(from === undefined ? [] : [{ field: 'value', is: 'gte', value: from } as const]),
        ...(to === undefined ? [] : [{ field: 'value', is: 'lte', value: to } as const]),
      ]);
    },

    orOneOf,
  };
}

/** The period of a filter; both ends are included. */
interface Period {
  saidFrom?: string;
  saidTo?: string;
  /** Only the conversation's own time, not those of its aliases. */
  own?: true;
}

/** Whether any of its messages may have been said in the period, by its own times. */
export function maySayWithin(row: ConversationRow, filter: Period): boolean {
  const { at, first_at, last_at } = row;
  if (isSaidWithin(at, filter)) return true;
  if (!filter.own && aliasTimes(row).some((time) => isSaidWithin(time, filter))) return true;
  if (first_at === undefined || last_at === undefined) return false;
  const { saidFrom = '', saidTo } = filter;
  return last_at >= saidFrom && (saidTo === undefined || first_at <= saidTo);
}

/**
 * Whether a message was said in the filter's period: a conversation may go on for months. Without a time of its own it
 * has those of its conversation and of the aliases.
 */
export function wasSaidWithin(message: Pick<MessageRow, 'timestamp'>, row: ConversationRow, filter: Period): boolean {
  const { at } = timeOf(message, row);
  if (isSaidWithin(at, filter)) return true;
  return message.timestamp === undefined && !filter.own && aliasTimes(row).some((time) => isSaidWithin(time, filter));
}

/** Whether a time is within the filter's period. */
export function isSaidWithin(at: string, { saidFrom, saidTo }: Period): boolean {
  return (saidFrom === undefined || at >= saidFrom) && (saidTo === undefined || at <= saidTo);
}

/**
 * The conditions for conversations that overlap the period, by their own time or by the span of their messages, as
 * separate queries: each can use its own index, and conversations without message times have no span.
 */
export function spans({ saidFrom, saidTo }: Period): Condition<'conversations'>[][] {
  const within = (first: 'at' | 'first_at', last: 'at' | 'last_at'): Condition<'conversations'>[] => [
    ...(saidFrom === undefined ? [] : [{ field: last, is: 'gte', value: saidFrom } as const]),
    ...(saidTo === undefined ? [] : [{ field: first, is: 'lte', value: saidTo } as const]),
  ];
  if (saidFrom === undefined && saidTo === undefined) return [[]];
  return [within('at', 'at'), within('first_at', 'last_at')];
}
