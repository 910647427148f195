import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { type Server, startServer } from './server.js';

/** `npm run test:crash` asks for 1,000. */
const kills = Number(process.env.THREADKEEP_TEST_KILLS ?? 8);
const writers = 4;
const folder = mkdtempSync(join(tmpdir(), 'threadkeep-crash-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Saved {
  word: string;
  id: string;
}

test(
  `keeps every acknowledged conversation through ${kills} kills`,
  async () => {
    const random = seeded(20261115);
    const sent = new Set<string>();
    const acknowledged = new Map<string, Saved>();
    for (let round = 0; round < kills; round++) {
      const server = await startServer(folder);
      const fresh = await writeUntilKilled(server, { round, moment: random() * 120, sent });
      const restarted = await startServer(folder);
      await verify(restarted, fresh);
      for (const saved of fresh) acknowledged.set(saved.word, saved);
      if (round % 50 === 49) process.stderr.write(`${round + 1} kills, ${acknowledged.size} conversations\n`);
      await restarted.kill();
    }
    const server = await startServer(folder);
    await verify(server, [...acknowledged.values()]);
    await nothingPending(server);
    await noDuplicates(server, sent, acknowledged);
    await server.kill();
    expect(acknowledged.size).toBeGreaterThan(kills);
  },
  kills * 15_000 + 60_000,
);

/** Several writers at once; the process dies at the given moment after the first acknowledgement. */
async function writeUntilKilled(
  server: Server,
  { round, moment, sent }: { round: number; moment: number; sent: Set<string> },
): Promise<Saved[]> {
  const saved: Saved[] = [];
  let dead = false;
  let first: () => void = () => {};
  const started = new Promise<void>((resolve) => {
    first = resolve;
  });
  const write = async (writer: number): Promise<void> => {
    for (let turn = 0; !dead; turn++) {
      const word = `word${round}x${writer}x${turn}`;
      sent.add(word);
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
  return saved;
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

async function verify(server: Server, all: readonly Saved[]): Promise<void> {
  for (const { word, id } of all) {
    const stored = await server.post('/memory/retrieve', { id });
    expect(stored.status, `retrieve ${word}`).toBe(200);
    const found = await server.post('/memory/search', { query: word, top_k: 3, include_messages: false });
    const [best] = found.body.results as { id: string }[];
    expect(best?.id, `search ${word}`).toBe(id);
  }
}

async function nothingPending(server: Server): Promise<void> {
  await expect
    .poll(async () => (await server.get('/ready')).health, { timeout: 60_000 })
    .toMatchObject({ pending_chunks: 0 });
}

/** Sending everything again finds what is there: one memory for each content, also for what was never acknowledged. */
async function noDuplicates(
  server: Server,
  sent: ReadonlySet<string>,
  acknowledged: ReadonlyMap<string, Saved>,
): Promise<void> {
  for (const word of sent) {
    const again = await server.post('/memory/insert', conversationAbout(word));
    const known = acknowledged.get(word);
    if (known !== undefined) expect(again.body).toMatchObject({ id: known.id, deduplicated: true, embedded_chunks: 0 });
    const found = await server.post('/memory/search', { query: word, top_k: 10, include_messages: false });
    const hits = (found.body.results as { id: string; chunk_index: number; text: string }[]).filter(({ text }) =>
      new RegExp(`\\b${word}\\b`).test(text),
    );
    expect(hits.map(({ id, chunk_index }) => `${id}#${chunk_index}`).sort()).toEqual(
      [0, 1].map((index) => `${String(again.body.id)}#${index}`),
    );
  }
}

/** The same kills every time, so that a failure can be repeated. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
