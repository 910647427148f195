import { createHash } from 'node:crypto';
import type { Visibility } from '../model/access.js';
import type { SaveIntent } from '../model/conversation.js';
import {
  type Fact,
  type FactConfidence,
  type FactStatus,
  factIdPattern,
  largestGroup,
  type SourceQuality,
  subjectKeyOf,
} from '../model/fact.js';
import { type Change, type Condition, eq, type Query, type RecordStore } from './store.js';

/** The filters of a fact search, resolved: times in UTC. */
export interface FactFilter {
  subject?: string;
  predicates?: readonly string[];
  status?: FactStatus;
  source?: string;
  /** By the newest message that states the fact. */
  from?: string;
  to?: string;
  /** By the oldest message that states it. */
  createdTo?: string;
  /** By the last confirmation. */
  freshFrom?: string;
  freshTo?: string;
  confidence?: FactConfidence;
  sourceQuality?: SourceQuality;
  saveIntent?: SaveIntent;
  saveIntentSource?: string;
  pinned?: boolean;
}

export type FactRecords = ReturnType<typeof factRecords>;

/** Facts come from active conversations only, so callers who cannot see those see no facts. */
export function factRecords(store: RecordStore) {
  const find = (query: Query<'facts'>): Promise<Fact[]> => store.find('facts', query);

  return {
    /** Newest statement first; `after` continues after a fact of the previous page. */
    async search(
      visibility: Visibility,
      filter: FactFilter,
      page: { limit: number; after?: { value: string; id: string } | undefined },
    ): Promise<Fact[]> {
      if (!seesFacts(visibility)) return [];
      const where = [...visibleTo(visibility), ...conditions(filter)];
      const after = page.after === undefined ? {} : { after: page.after };
      return find({ where, order: { by: 'stated_at', direction: 'desc' }, limit: page.limit, ...after });
    },

    /** Facts with any of the terms, best match first; undefined when the store has no text lookup. */
    async matching(
      visibility: Visibility,
      filter: FactFilter,
      query: { terms: string[]; limit: number },
    ): Promise<Fact[] | undefined> {
      if (store.searchText === undefined) return undefined;
      if (!seesFacts(visibility) || query.terms.length === 0) return [];
      const where = [...visibleTo(visibility), ...conditions(filter)];
      const among = { field: 'project_id', values: [visibility.projectId] } as const;
      const hits = await store.searchText('facts', { terms: query.terms, where, among, limit: query.limit });
      const facts = await this.byIds(
        visibility,
        hits.map(({ id }) => id),
      );
      const byId = new Map(facts.map((fact) => [fact.id, fact]));
      return hits.flatMap(({ id }) => byId.get(id) ?? []);
    },

    async byIds(visibility: Visibility, ids: readonly string[]): Promise<Fact[]> {
      // Ids also come from callers. Only well-formed ones are queried, because some stores cannot compare arbitrary
      // text.
      const possible = ids.filter((id) => factIdPattern.test(id));
      if (!seesFacts(visibility) || possible.length === 0) return [];
      return find({ where: [{ field: 'id', is: 'in', value: possible }, ...visibleTo(visibility)] });
    },

    async ofConversation(visibility: Visibility, conversationId: string, status: FactStatus | 'all'): Promise<Fact[]> {
      const ids = seesFacts(visibility) ? await factsStatedIn(store, conversationId) : [];
      if (ids.length === 0) return [];
      const filter = status === 'all' ? {} : { status };
      return find({
        where: [{ field: 'id', is: 'in', value: ids }, ...visibleTo(visibility), ...conditions(filter)],
      });
    },

    /** For writing: the facts of a project that a new statement may confirm, end or replace. */
    async inGroup(projectId: string, group: FactGroup, only: { keys?: readonly string[]; ended?: true } = {}) {
      const where: Condition<'facts'>[] = [
        eq('project_id', projectId),
        eq('subject_key', group.subjectKey),
        { field: 'predicate', is: 'in', value: group.predicates },
      ];
      if (only.keys !== undefined) where.push({ field: 'object_key', is: 'in', value: only.keys });
      if (only.ended) where.push({ field: 'ended_at', is: 'gte', value: '' });
      return find({ where, order: { by: 'stated_at', direction: 'desc' }, limit: largestGroup });
    },

    /** For writing: every fact of a project that has a source in this conversation. */
    async statedIn(projectId: string, conversationId: string): Promise<Fact[]> {
      const ids = await factsStatedIn(store, conversationId);
      if (ids.length === 0) return [];
      const has: Condition<'facts'> = { field: 'conversation_ids', is: 'has', value: conversationId };
      return find({ where: [{ field: 'id', is: 'in', value: ids }, eq('project_id', projectId), has] });
    },

    /** Backfills what `statedIn` needs in an older database; runs before anything is written. */
    fillSources: () => fillSources(store),

    /** For writing: the revision of each group that has one. */
    async revisions(groupIds: readonly string[]): Promise<Map<string, number>> {
      if (groupIds.length === 0) return new Map();
      const rows = await store.find('fact_groups', { where: [{ field: 'id', is: 'in', value: groupIds }] });
      return new Map(rows.map((row) => [row.id, row.revision]));
    },
  };
}

/** The facts of one subject that are evaluated together. */
export interface FactGroup {
  subjectKey: string;
  predicates: readonly string[];
}

/** Upserts a fact with its search terms, replacing its earlier version. */
export function putFact(fact: Fact, terms: readonly string[], before: Fact | undefined): Change[] {
  const row = { ...fact, terms: terms.join(' ') };
  return [{ kind: 'put', table: 'facts', row }, ...sourceChanges(before, fact)];
}

export function removeFacts(facts: readonly Fact[]): Change[] {
  if (facts.length === 0) return [];
  const ids = facts.map(({ id }) => id);
  return [{ kind: 'remove', table: 'facts', ids }, ...facts.flatMap((fact) => sourceChanges(fact, undefined))];
}

/** A hash, because a group's row remains when its facts are forgotten and must not reveal a name. */
export function groupKey(projectId: string, { subjectKey, predicates }: FactGroup): string {
  const key = JSON.stringify([projectId, subjectKey, predicates]);
  return createHash('sha256').update(key).digest('hex');
}

/** Fails with WriteConflict when the group was written after its revision was read. */
export function nextRevision(projectId: string, groupId: string, revision: number | undefined): Change {
  if (revision === undefined) {
    return { kind: 'insert', table: 'fact_groups', row: { id: groupId, project_id: projectId, revision: 1 } };
  }
  const set = { revision: revision + 1 };
  return { kind: 'patch', table: 'fact_groups', ids: [groupId], set, when: { revision } };
}

function seesFacts(visibility: Visibility): boolean {
  return visibility.statuses.includes('active');
}

function visibleTo(visibility: Visibility): Condition<'facts'>[] {
  return [eq('project_id', visibility.projectId)];
}

function conditions(filter: FactFilter): Condition<'facts'>[] {
  const where: Condition<'facts'>[] = [];
  if (filter.subject !== undefined) where.push(eq('subject_key', subjectKeyOf(filter.subject)));
  if (filter.status !== undefined) where.push(eq('status', filter.status));
  if (filter.confidence !== undefined) where.push(eq('confidence', filter.confidence));
  if (filter.sourceQuality !== undefined) where.push(eq('source_quality', filter.sourceQuality));
  if (filter.saveIntent !== undefined) where.push(eq('save_intent', filter.saveIntent));
  if (filter.saveIntentSource !== undefined) where.push(eq('save_intent_source', filter.saveIntentSource));
  if (filter.from !== undefined) where.push({ field: 'stated_at', is: 'gte', value: filter.from });
  if (filter.to !== undefined) where.push({ field: 'stated_at', is: 'lte', value: filter.to });
  if (filter.createdTo !== undefined) where.push({ field: 'created_at', is: 'lte', value: filter.createdTo });
  if (filter.freshFrom !== undefined) where.push({ field: 'last_confirmed_at', is: 'gte', value: filter.freshFrom });
  if (filter.freshTo !== undefined) where.push({ field: 'last_confirmed_at', is: 'lte', value: filter.freshTo });
  if (filter.pinned === true) where.push({ field: 'pinned_at', is: 'gte', value: '' });
  if (filter.pinned === false) where.push({ field: 'pinned_at', is: 'absent' });
  if (filter.predicates !== undefined) where.push({ field: 'predicate', is: 'in', value: filter.predicates });
  if (filter.source !== undefined) where.push({ field: 'source_names', is: 'has', value: filter.source });
  return where;
}

type Stated = Pick<Fact, 'id' | 'conversation_ids'>;

const factsAtOnce = 500;

/** The source-row changes between two versions of a fact; undefined stands for no version. */
function sourceChanges(before: Stated | undefined, after: Stated | undefined): Change[] {
  const old = new Map(before === undefined ? [] : rowsOf(before).map((row) => [row.id, row]));
  const rows = after === undefined ? [] : rowsOf(after);
  const added = rows.filter(({ id }) => !old.has(id));
  for (const { id } of rows) old.delete(id);
  const gone: Change[] = old.size === 0 ? [] : [{ kind: 'remove', table: 'fact_sources', ids: [...old.keys()] }];
  return [...added.map((row): Change => ({ kind: 'put', table: 'fact_sources', row })), ...gone];
}

/** The ids of facts that have, or had, a source in a conversation. */
async function factsStatedIn(store: RecordStore, conversationId: string): Promise<string[]> {
  const where = [{ field: 'conversation_id', is: 'eq', value: conversationId } as const];
  return (await store.find('fact_sources', { where })).map(({ fact_id }) => fact_id);
}

/**
 * Facts from an older database or backup have no source rows: these are created before anything else is written. The
 * fact with the first id is written last, so that its rows show that the backfill is complete.
 */
async function fillSources(store: RecordStore): Promise<void> {
  if (await isFilled(store)) return;
  let facts = await factsBy(store, 'desc', { limit: factsAtOnce });
  for (let last = facts.at(-1); last !== undefined; last = facts.at(-1)) {
    await store.write(facts.flatMap((fact) => sourceChanges(undefined, fact)));
    facts = await factsBy(store, 'desc', { limit: factsAtOnce, after: { value: last.id, id: last.id } });
  }
}

async function isFilled(store: RecordStore): Promise<boolean> {
  const [first] = await factsBy(store, 'asc', { limit: 1 });
  if (first === undefined) return true;
  const ids = rowsOf(first).map(({ id }) => id);
  return (await store.count('fact_sources', [{ field: 'id', is: 'in', value: ids }])) === ids.length;
}

async function factsBy(
  store: RecordStore,
  direction: 'asc' | 'desc',
  page: Pick<Query<'facts'>, 'limit' | 'after'>,
): Promise<Stated[]> {
  const query: Query<'facts', 'conversation_ids'> = {
    order: { by: 'id', direction },
    fields: ['conversation_ids'],
    ...page,
  };
  return store.find('facts', query);
}

function rowsOf({ id, conversation_ids }: Stated): { id: string; conversation_id: string; fact_id: string }[] {
  return conversation_ids.map((conversation_id) => ({ id: `${id}:${conversation_id}`, conversation_id, fact_id: id }));
}
