// Bare LanceDB in this process: its full-text index and its vector search, joined by its own reciprocal rank fusion.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const candidates = 50;
/** Below this many rows a scan of all vectors is faster than an index. */
const leastIndexed = 20_000;

export const lancedb = {
  name: 'lancedb',
  title: 'LanceDB',
  model: 'ours',
  givenVectors: true,
  async install() {
    const file = new URL('../../node_modules/@lancedb/lancedb/package.json', import.meta.url);
    return `LanceDB ${JSON.parse(readFileSync(file, 'utf8')).version}`;
  },
  open: openLance,
};

async function openLance({ folder, embedder }) {
  // It warns about every query that names its columns, and reads this when it is loaded.
  process.env.LANCEDB_LOG ??= 'error';
  const { connect, Index, MatchQuery, rerankers } = await import('@lancedb/lancedb');
  const database = await connect(join(folder, 'vectors'));
  const fusion = await rerankers.RRFReranker.create();
  let table = (await database.tableNames()).includes('messages') ? await database.openTable('messages') : undefined;
  let writes = 0;

  return {
    async insert({ key, source, messages }) {
      const vectors = await embedder.embed(messages.map(({ text }) => text));
      const rows = messages.map(({ text }, index) => ({
        key,
        index,
        source,
        text,
        vector: Array.from(vectors[index]),
      }));
      if (table === undefined) {
        table = await database.createTable('messages', rows);
        await table.createIndex('text', { config: Index.fts() });
      } else {
        await table.add(rows);
      }
      // Each write is a file of its own, and thousands of them would make it slower and slower.
      writes += 1;
      if (writes % 500 === 0) await table.optimize({ cleanupOlderThan: new Date() });
    },

    /** What a careful program does when a burst of writes has ended: join files, index the vectors when it pays. */
    async settle() {
      await table.optimize({ cleanupOlderThan: new Date() });
      const rows = await table.countRows();
      if (rows < leastIndexed) return;
      const partitions = 2 ** Math.round(Math.log2(Math.sqrt(rows) / 4));
      const config = Index.ivfFlat({ distanceType: 'cosine', numPartitions: partitions });
      await table.createIndex('vector', { config });
    },

    async search({ text, source, limit }) {
      const [vector] = await embedder.embed([text]);
      const query = table
        .query()
        .nearestTo(Array.from(vector))
        .distanceType('cosine')
        .fullTextSearch(new MatchQuery(text, 'text'))
        .rerank(fusion)
        .select(['key', 'index', 'text'])
        .limit(candidates);
      if (source !== undefined) query.where(`source = '${source.replaceAll("'", "''")}'`);
      const rows = await query.toArray();
      return rows.slice(0, limit).map(({ key, index, text }) => ({ key, index: Number(index), text }));
    },

    async close() {
      table?.close();
      database.close();
    },
  };
}
