import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { tables } from '../../src/model/tables.js';
import { chunkRecords } from '../../src/records/chunks.js';
import { factRecords } from '../../src/records/facts.js';
import { recordStore } from '../../src/records/store.js';
import type { MetadataStore, Query, Table } from '../../src/stores/metadata/contract.js';
import { sqliteDialect } from '../../src/stores/metadata/drivers/sqlite/schema.js';
import { sqlite } from '../../src/stores/metadata/drivers/sqlite/sqlite.js';
import { findStatement } from '../../src/stores/metadata/shared/sql/sql.js';
import { aFolder } from '../support/service.js';

const definitions: readonly Table[] = tables;
const row = { conversation_id: 'c1', fact_id: 'f1' };

/** How SQLite goes about everything that is asked of a store which has one row of sources and no other. */
async function plansOf(ask: (store: MetadataStore) => Promise<unknown>): Promise<string[]> {
  const path = join(await aFolder(), 'metadata.sqlite3');
  const store = sqlite.create({ settings: {}, path });
  await store.open(definitions);
  await store.write([{ kind: 'put', table: 'fact_sources', row: { id: 'f1:c1', ...row } }]);
  const asked: [string, Query][] = [];
  await ask({
    ...store,
    find(name, query = {}) {
      asked.push([name, query]);
      return store.find(name, query);
    },
  });
  await store.close();
  const database = new DatabaseSync(path, { readOnly: true });
  const plans = asked.flatMap(([name, query]) => {
    const table = definitions.find((each) => each.name === name) as Table;
    const { text, parameters } = findStatement({ dialect: sqliteDialect, table }, query);
    return database.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...parameters) as { detail: string }[];
  });
  database.close();
  return plans.map(({ detail }) => detail).filter((detail) => /\bt\b|ORDER BY/.test(detail));
}

describe('what forgetting asks', () => {
  it('finds the facts of a conversation by an index, however many there are', async () => {
    const plans = await plansOf((store) => factRecords(recordStore(store)).statedIn('p', 'c1'));
    expect(plans).toEqual([
      expect.stringMatching(/^SEARCH t USING INDEX fact_sources_by_conversation_id_id \(conversation_id=\?\)/),
      expect.stringMatching(/^SEARCH t USING INDEX sqlite_autoindex_facts_1 \(id=\?\)/),
    ]);
  });

  it('finds whether a speaker is left by an index, and reads no more chunks than tell it', async () => {
    const plans = await plansOf((store) => chunkRecords(recordStore(store)).speakersBeside('p', new Map([['Ana', 1]])));
    expect(plans.length).toBeGreaterThan(0);
    for (const plan of plans)
      expect(plan).toMatch(/COVERING INDEX chunks_by_speaker_scope_id \(speaker=\? AND scope=\?\)/);
  });
});
