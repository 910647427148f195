import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { atLength } from '../support/length.js';
import { type Server, startServer } from './server.js';

/** `npm run test:crash` asks for more; test/power-cut has the moments in between. */
const kills = Number(process.env.CRASH_TEST_KILLS ?? atLength(3, 8));
const writers = 4;
const folder = mkdtempSync(join(tmpdir(), 'threadkeep-crash-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Saved {
  word: string;
  id: string;
}

/** What one life of the server was asked to keep, and what it said it has kept. */
interface Round {
  sent: string[];
  saved: Saved[];
}

test(
  `keeps every acknowledged conversation through ${kills} kills`,
  async () => {
    const random = seeded(20261115);
    let total = 0;
    let last: Round = { sent: [], saved: [] };
    for (let round = 0; round < kills; round++) {
      const server = await startServer(folder);
      await verify(server, last);
      last = await writeUntilKilled(server, { round, moment: random() * 120 });
      total += last.saved.length;
      if (round % 50 === 49) process.stderr.write(`${round + 1} kills, ${total} conversations acknowledged\n`);
    }
    const server = await startServer(folder);
    await verify(server, last);
    await server.kill();
    expect(total).toBeGreaterThan(kills);
  },
  kills * 20_000 + 60_000,
);

/** Several writers at once; the process dies at the given moment after the first acknowledgement. */
async function writeUntilKilled(server: Server, { round, moment }: { round: number; moment: number }): Promise<Round> {
  const sent: string[] = [];
  const saved: Saved[] = [];
  let dead = false;
  let first: () => void = () => {};
  const started = new Promise<void>((resolve) => {
    first = resolve;
  });
  const write = async (writer: number): Promise<void> => {
    for (let turn = 0; !dead; turn++) {
      const word = `word${round}x${writer}x${turn}`;
      sent.push(word);
      // A request that the kill cut off was never acknowledged: it may be stored or not.
      const answer = await server.post('/memory/insert', conversationAbout(word)).catch(() => undefined);
      if (answer === undefined) return;
      expect(answer.status).toBe(200);
      saved.push({ word, id: String(answer.body.id) });
      first();
    }
  };
  const writing = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  await started;
  await delay(moment);
  dead = true;
  await server.kill();
  await writing;
  return { sent, saved };
}

function conversationAbout(word: string) {
  return {
    source: 'crash-test',
    title: `About ${word}`,
    messages: [
      { role: 'user', text: `Please keep ${word} for me.` },
      { role: 'assistant', text: `I keep ${word}, and the rest of what you told me.` },
    ],
  };
}

/** After a restart: what was acknowledged is there, the index is complete, and nothing is there twice. */
async function verify(server: Server, { sent, saved }: Round): Promise<void> {
  await nothingPending(server);
  for (const { word, id } of saved) {
    expect((await server.post('/memory/retrieve', { id })).status, `retrieve ${word}`).toBe(200);
  }
  const known = new Map(saved.map(({ word, id }) => [word, id]));
  for (const word of sent) await verifyOnce(server, word, known.get(word));
}

/** Sending it again finds the one that is there, also when it was stored but never acknowledged. */
async function verifyOnce(server: Server, word: string, id: string | undefined): Promise<void> {
  const again = await server.post('/memory/insert', conversationAbout(word));
  if (id !== undefined) expect(again.body).toMatchObject({ id, deduplicated: true, embedded_chunks: 0 });
  const found = await server.post('/memory/search', { query: word, top_k: 5, include_messages: false });
  const hits = (found.body.results as { id: string; chunk_index: number; text: string }[]).filter(({ text }) =>
    new RegExp(`\\b${word}\\b`).test(text),
  );
  const wanted = [0, 1].map((index) => `${String(again.body.id)}#${index}`);
  expect(hits.map((hit) => `${hit.id}#${hit.chunk_index}`).sort(), `search ${word}`).toEqual(wanted);
}

async function nothingPending(server: Server): Promise<void> {
  await expect
    .poll(async () => (await server.get('/ready')).health, { timeout: 60_000 })
    .toMatchObject({ pending_chunks: 0 });
}

/** The same kills every time, so that a failure can be repeated. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
