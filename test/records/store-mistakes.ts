import { eq, type RecordStore } from '../../src/records/store.js';

/** Never called: the compiler reads it, and fails where one of these mistakes is no longer an error. */
export async function mistakes(store: RecordStore): Promise<void> {
  // @ts-expect-error there is no such table
  await store.find('topic');
  // @ts-expect-error there is no such column
  await store.find('topics', { where: [eq('name', 'sailing')] });
  // @ts-expect-error a text column is not compared with a number
  await store.count('topics', [{ field: 'topic', is: 'eq', value: 1 }]);
  // @ts-expect-error no chunk is in this state
  await store.count('chunks', [eq('index_state', 'done')]);
  // @ts-expect-error only a list of strings can have a member
  await store.count('topics', [{ field: 'topic', is: 'has', value: 'sailing' }]);
  // @ts-expect-error the row lacks columns
  await store.write([{ kind: 'insert', table: 'topics', row: { id: 't' } }]);
  // @ts-expect-error the value of the column is text
  await store.write([{ kind: 'patch', table: 'topics', ids: ['t'], set: { topic: 1 } }]);
  const [row] = await store.find('topics', { fields: ['at'] });
  // @ts-expect-error the field was not asked for
  row?.topic;
}
