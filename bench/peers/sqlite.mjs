// Bare SQLite in this process: FTS5 alone, or FTS5 and sqlite-vec with both lists joined by their ranks.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { wordsOf } from '../../eval/control.mjs';
import { npmPackage } from './install.mjs';

const candidates = 50;
const vecVersion = '0.1.9';

export const fts5 = {
  name: 'fts5',
  title: 'SQLite FTS5',
  model: 'none',
  install: async () => sqliteVersion(),
  open: (options) => openSqlite(options),
};

export const sqliteVec = {
  name: 'sqlite-vec',
  title: 'SQLite FTS5 + sqlite-vec',
  model: 'ours',
  givenVectors: true,
  async install(cache) {
    await npmPackage(cache, 'sqlite-vec', vecVersion);
    return `sqlite-vec ${vecVersion}, ${sqliteVersion()}`;
  },
  async open({ cache, ...options }) {
    const { getLoadablePath } = await npmPackage(cache, 'sqlite-vec', vecVersion);
    return openSqlite({ ...options, extension: getLoadablePath() });
  },
};

/** One transaction for each conversation, on disk when it returns, as Threadkeep does it. */
async function openSqlite({ folder, embedder, extension }) {
  const database = new DatabaseSync(join(folder, 'messages.sqlite3'), { allowExtension: extension !== undefined });
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS messages (seq INTEGER PRIMARY KEY, key TEXT, position INTEGER, source TEXT, text TEXT);
    CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (text, content='messages', content_rowid='seq')`);
  const addMessage = database.prepare('INSERT INTO messages (key, position, source, text) VALUES (?, ?, ?, ?)');
  const addWords = database.prepare('INSERT INTO words (rowid, text) VALUES (?, ?)');
  const findWords = database.prepare(
    `SELECT seq FROM words JOIN messages ON seq = words.rowid
     WHERE words MATCH ?1 AND (?2 IS NULL OR source = ?2) ORDER BY words.rank LIMIT ${candidates}`,
  );
  const read = database.prepare('SELECT key, position, text FROM messages WHERE seq = ?');
  const vectors = extension === undefined ? undefined : openVectors(database, extension, embedder);

  return {
    async insert({ key, source, messages }) {
      const added = await vectors?.embed(messages.map(({ text }) => text));
      database.exec('BEGIN IMMEDIATE');
      for (const [position, { text }] of messages.entries()) {
        const { lastInsertRowid: seq } = addMessage.run(key, position, source, text);
        addWords.run(seq, text);
        vectors?.add(seq, source, added[position]);
      }
      database.exec('COMMIT');
    },

    async search({ text, source, limit }) {
      const terms = wordsOf(text).map((word) => `"${word}"`);
      const keyword = terms.length === 0 ? [] : findWords.all(terms.join(' OR '), source ?? null);
      const lists = [keyword, (await vectors?.near(text, source)) ?? []];
      return joined(lists.map((list) => list.map(({ seq }) => Number(seq))))
        .slice(0, limit)
        .map((seq) => {
          const { key, position, text } = read.get(seq);
          return { key, index: position, text };
        });
    },

    close: async () => database.close(),
  };
}

function openVectors(database, extension, embedder) {
  database.enableLoadExtension(true);
  database.loadExtension(extension);
  database.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS vectors
    USING vec0 (vector FLOAT[${embedder.dimension}] distance_metric=cosine, source TEXT)`);
  const add = database.prepare('INSERT INTO vectors (rowid, vector, source) VALUES (?, ?, ?)');
  const find = `SELECT rowid AS seq FROM vectors WHERE vector MATCH ? AND k = ${candidates}`;
  const findAll = database.prepare(find);
  const findOf = database.prepare(`${find} AND source = ?`);
  const bytes = ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength);
  return {
    embed: (texts) => embedder.embed(texts),
    // The extension takes whole numbers alone as row ids, so they are not numbers of JavaScript.
    add: (seq, source, vector) => add.run(BigInt(seq), bytes(vector), source),
    async near(text, source) {
      const [vector] = await embedder.embed([text]);
      return source === undefined ? findAll.all(bytes(vector)) : findOf.all(bytes(vector), source);
    },
  };
}

/** Reciprocal rank fusion, with the usual 60. */
function joined(lists) {
  const scores = new Map();
  for (const list of lists) {
    for (const [place, seq] of list.entries()) scores.set(seq, (scores.get(seq) ?? 0) + 1 / (61 + place));
  }
  return [...scores].sort((one, other) => other[1] - one[1]).map(([seq]) => seq);
}

function sqliteVersion() {
  const database = new DatabaseSync(':memory:');
  const { version } = database.prepare('SELECT sqlite_version() AS version').get();
  database.close();
  const file = new URL('../../node_modules/@photostructure/sqlite/package.json', import.meta.url);
  return `SQLite ${version} (@photostructure/sqlite ${JSON.parse(readFileSync(file, 'utf8')).version})`;
}
