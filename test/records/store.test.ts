import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tables } from '../../src/model/tables.js';
import { eq, type RecordStore, recordStore } from '../../src/records/store.js';
import { sqlite } from '../../src/stores/metadata/drivers/sqlite/sqlite.js';
import { aFolder } from '../support/service.js';

async function anOpenStore(): Promise<RecordStore> {
  const store = sqlite.create({ settings: {}, path: join(await aFolder(), 'memory.db') });
  await store.open(tables);
  return recordStore(store);
}

it('gives rows the types of their columns', async () => {
  const store = await anOpenStore();
  const topic = { id: 't', project_id: 'p', topic: 'sailing', conversation_id: 'c', at: '2026-01-01T00:00:00.000Z' };
  await store.write([{ kind: 'insert', table: 'topics', row: topic }]);
  const [found] = await store.find('topics', { where: [eq('topic', 'sailing')], fields: ['conversation_id'] });
  const conversationId: string | undefined = found?.conversation_id;
  expect({ conversationId, count: await store.count('topics', [eq('project_id', 'p')]) }).toEqual({
    conversationId: 'c',
    count: 1,
  });
});
