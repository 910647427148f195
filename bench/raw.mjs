// The baseline: the same conversations on bare SQLite and LanceDB, with no service around them. One transaction and one
// vector write per conversation, one full-text and one vector query per search, as a careful program would do by hand.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { connect, Index } from '@lancedb/lancedb';
import { DatabaseSync } from '@photostructure/sqlite';
import { openLocalEmbedder } from '../dist/embeddings/local.js';

export async function openRaw(folder) {
  const embedder = await openLocalEmbedder({ model: 'threadkeep-static-256', dimension: 256 });
  const database = new DatabaseSync(join(folder, 'raw.sqlite3'));
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE conversations (id TEXT PRIMARY KEY, source TEXT, title TEXT, timestamp TEXT);
    CREATE TABLE messages (seq INTEGER PRIMARY KEY, id TEXT UNIQUE, conversation_id TEXT, position INTEGER, role TEXT, text TEXT);
    CREATE INDEX messages_of ON messages (conversation_id);
    CREATE VIRTUAL TABLE words USING fts5 (text, content='', contentless_delete=1)`);
  const addConversation = database.prepare('INSERT INTO conversations VALUES (?, ?, ?, ?)');
  const addMessage = database.prepare(
    'INSERT INTO messages (id, conversation_id, position, role, text) VALUES (?, ?, ?, ?, ?)',
  );
  const addWords = database.prepare('INSERT INTO words (rowid, text) VALUES (?, ?)');
  const findWords = database.prepare('SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT 50');
  const readBySeq = database.prepare('SELECT id, conversation_id, text FROM messages WHERE seq = ?');
  const readById = database.prepare('SELECT conversation_id, text FROM messages WHERE id = ?');
  const readAll = database.prepare('SELECT role, text FROM messages WHERE conversation_id = ? ORDER BY position');
  const vectors = await connect(join(folder, 'raw-vectors'));
  let table;
  let writes = 0;

  return {
    async insert(conversation) {
      const id = randomUUID();
      const rows = [];
      const embedded = await embedder.embed(conversation.messages.map(({ text }) => text));
      database.exec('BEGIN IMMEDIATE');
      addConversation.run(id, conversation.source, conversation.title, conversation.timestamp);
      for (const [position, { role, text }] of conversation.messages.entries()) {
        const chunk = randomUUID();
        const { lastInsertRowid } = addMessage.run(chunk, id, position, role, text);
        addWords.run(lastInsertRowid, text);
        rows.push({
          id: chunk,
          vector: Array.from(embedded[position]),
          scope: 'bench',
          conversation_id: id,
        });
      }
      database.exec('COMMIT');
      if (table === undefined) table = await vectors.createTable('chunks', rows);
      else await table.add(rows);
      // Thousands of small files would slow the baseline down more and more: nobody careful would leave them.
      writes += 1;
      if (writes % 500 === 0) await table.optimize({ cleanupOlderThan: new Date() });
    },

    async search(query) {
      const terms = query.split(' ').map((word) => `"${word}"`);
      const keyword = findWords.all(terms.join(' OR ')).map(({ rowid }) => readBySeq.get(rowid));
      const [vector] = await embedder.embed([query]);
      const near = await table
        .query()
        .nearestTo(Array.from(vector))
        .distanceType('cosine')
        .where("scope = 'bench'")
        .select(['id', '_distance'])
        .limit(30)
        .toArray();
      const hits = [...near.map(({ id }) => readById.get(id)), ...keyword].slice(0, 10);
      return JSON.stringify(hits.map((hit) => ({ ...hit, messages: readAll.all(hit.conversation_id) })));
    },

    /** What our background does too: join small files, build the vector index when it pays. */
    async tidy(rows) {
      await table.optimize();
      if (rows < 20_000) return;
      const partitions = 2 ** Math.round(Math.log2(Math.sqrt(rows) / 4));
      await table.createIndex('vector', {
        config: Index.ivfFlat({ distanceType: 'cosine', numPartitions: partitions }),
      });
    },

    close() {
      database.close();
      table?.close();
      vectors.close();
    },
  };
}
