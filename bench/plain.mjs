// The other baseline: the plainest design that answers the same question, in a process of its own, so that its processor
// time and memory can be told. One SQLite file with an FTS5 table, the vectors as whole numbers of one byte in one array,
// all of them compared with the query, and both lists joined by their ranks.
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { openLocalEmbedder } from '../dist/embeddings/local.js';
import { memoryOf } from './service.mjs';
import { measure } from './timing.mjs';

const dimension = 256;
const self = fileURLToPath(import.meta.url);

/** Opens what the folder holds. Each call is answered before the next one is made. */
export async function startPlain(folder) {
  const child = fork(self, [folder]);
  const next = () =>
    new Promise((answered, failed) => {
      const ended = (code) => failed(new Error(`the plain design ended with ${code}`));
      child.once('exit', ended);
      child.once('message', (answer) => {
        child.off('exit', ended);
        answered(answer);
      });
    });
  const ask = (message) => {
    const answer = next();
    child.send(message);
    return answer;
  };
  await next();
  return {
    insert: (conversations) => ask({ kind: 'insert', conversations }),
    /** Asks one query after the other; answers what `measure` does, and the processor time of one search. */
    search: (queries) => ask({ kind: 'search', queries }),
    memory: () => memoryOf(child.pid),
    stop() {
      if (child.exitCode !== null) return undefined;
      return new Promise((stopped) => {
        child.once('exit', stopped);
        child.disconnect();
      });
    },
  };
}

async function openPlain(folder) {
  const embedder = await openLocalEmbedder({ model: 'threadkeep-static-256', dimension });
  const database = new DatabaseSync(join(folder, 'plain.sqlite3'));
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS conversations (id TEXT PRIMARY KEY, source TEXT, title TEXT, timestamp TEXT);
    CREATE TABLE IF NOT EXISTS messages (seq INTEGER PRIMARY KEY, conversation_id TEXT, position INTEGER, role TEXT, text TEXT);
    CREATE INDEX IF NOT EXISTS messages_of ON messages (conversation_id);
    CREATE TABLE IF NOT EXISTS vectors (seq INTEGER PRIMARY KEY, scale REAL, codes BLOB);
    CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (text, content='', contentless_delete=1)`);
  const addConversation = database.prepare('INSERT INTO conversations VALUES (?, ?, ?, ?)');
  const addMessage = database.prepare(
    'INSERT INTO messages (conversation_id, position, role, text) VALUES (?, ?, ?, ?)',
  );
  const addWords = database.prepare('INSERT INTO words (rowid, text) VALUES (?, ?)');
  const addVector = database.prepare('INSERT INTO vectors VALUES (?, ?, ?)');
  const findWords = database.prepare('SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT 50');
  const readBySeq = database.prepare('SELECT conversation_id, text FROM messages WHERE seq = ?');
  const readAll = database.prepare('SELECT role, text FROM messages WHERE conversation_id = ? ORDER BY position');
  let codes = new Int8Array(0);
  let scales = new Float64Array(0);
  let rows = 0;
  for (const { scale, codes: blob } of database.prepare('SELECT * FROM vectors ORDER BY seq').iterate()) {
    remember(scale, new Int8Array(blob.buffer, blob.byteOffset, dimension));
  }

  /** Rows are numbered from 1, in the order of their messages. */
  function remember(scale, vector) {
    if (rows === scales.length) {
      const room = Math.max(1_024, rows * 2);
      const [oldCodes, oldScales] = [codes, scales];
      codes = new Int8Array(room * dimension);
      codes.set(oldCodes);
      scales = new Float64Array(room);
      scales.set(oldScales);
    }
    codes.set(vector, rows * dimension);
    scales[rows] = scale;
    rows += 1;
  }

  function nearest(vector, limit) {
    const { scale, codes: query } = coded(vector);
    const best = [];
    let least = Number.NEGATIVE_INFINITY;
    for (let row = 0, at = 0; row < rows; row++, at += dimension) {
      let product = 0;
      for (let axis = 0; axis < dimension; axis++) product += query[axis] * codes[at + axis];
      const score = product * scale * scales[row];
      if (score <= least) continue;
      const place = best.findIndex((other) => other.score < score);
      best.splice(place < 0 ? best.length : place, 0, { seq: row + 1, score });
      if (best.length > limit) best.pop();
      if (best.length === limit) least = best[limit - 1].score;
    }
    return best.map(({ seq }) => seq);
  }

  return {
    async insert(conversations) {
      for (const { source, title, timestamp, messages } of conversations) {
        const id = randomUUID();
        const vectors = await embedder.embed(messages.map(({ text }) => text));
        database.exec('BEGIN IMMEDIATE');
        addConversation.run(id, source, title, timestamp);
        for (const [position, { role, text }] of messages.entries()) {
          const { lastInsertRowid: seq } = addMessage.run(id, position, role, text);
          addWords.run(seq, text);
          const vector = coded(vectors[position]);
          addVector.run(seq, vector.scale, new Uint8Array(vector.codes.buffer));
          remember(vector.scale, vector.codes);
        }
        database.exec('COMMIT');
      }
    },

    async search(query) {
      const terms = query.split(' ').map((word) => `"${word}"`);
      const keyword = findWords.all(terms.join(' OR ')).map(({ rowid }) => Number(rowid));
      const [vector] = await embedder.embed([query]);
      const scores = new Map();
      for (const list of [keyword, nearest(vector, 50)]) {
        for (const [place, seq] of list.entries()) scores.set(seq, (scores.get(seq) ?? 0) + 1 / (60 + place));
      }
      const best = [...scores].sort((one, other) => other[1] - one[1]).slice(0, 10);
      const hits = best.map(([seq]) => readBySeq.get(seq));
      return JSON.stringify(hits.map((hit) => ({ ...hit, messages: readAll.all(hit.conversation_id) })));
    },

    async close() {
      await embedder.close();
      database.close();
    },
  };
}

function coded(vector) {
  const scale = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127;
  return { scale, codes: Int8Array.from(vector, (value) => Math.round(value / scale)) };
}

async function measuredSearches(plain, queries) {
  let at = 0;
  const before = process.cpuUsage();
  const took = await measure(queries.length, 1, () => plain.search(queries[at++]));
  const { user, system } = process.cpuUsage(before);
  return { ...took, processorMs: (user + system) / 1000 / queries.length };
}

if (process.argv[1] === self) {
  const plain = await openPlain(process.argv[2]);
  process.on('message', async ({ kind, conversations, queries }) => {
    process.send(
      (kind === 'insert' ? await plain.insert(conversations) : await measuredSearches(plain, queries)) ?? {},
    );
  });
  process.once('disconnect', () => plain.close());
  process.send({});
}
