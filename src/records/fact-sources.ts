import type { Fact } from '../model/fact.js';
import type { Change, Query, RecordStore } from './store.js';

type Stated = Pick<Fact, 'id' | 'conversation_ids'>;

const factsAtOnce = 500;

/** What changes when a fact is written in place of what it was before; undefined where there is none. */
export function sourceChanges(before: Stated | undefined, after: Stated | undefined): Change[] {
  const old = new Map(before === undefined ? [] : rowsOf(before).map((row) => [row.id, row]));
  const rows = after === undefined ? [] : rowsOf(after);
  const added = rows.filter(({ id }) => !old.has(id));
  for (const { id } of rows) old.delete(id);
  const gone: Change[] = old.size === 0 ? [] : [{ kind: 'remove', table: 'fact_sources', ids: [...old.keys()] }];
  return [...added.map((row): Change => ({ kind: 'put', table: 'fact_sources', row })), ...gone];
}

/** The ids of the facts that have, or had, a source in a conversation. */
export async function factsStatedIn(store: RecordStore, conversationId: string): Promise<string[]> {
  const where = [{ field: 'conversation_id', is: 'eq', value: conversationId } as const];
  return (await store.find('fact_sources', { where })).map(({ fact_id }) => fact_id);
}

/**
 * Facts of an older database, or of a backup of one, have no rows yet: they get them before anything else is written. The
 * fact with the first id comes last, so that its rows tell that all are there.
 */
export async function fillSources(store: RecordStore): Promise<void> {
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
