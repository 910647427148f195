// `npm run bench`: the service over HTTP beside the same work on bare SQLite and LanceDB, in one run, as ratios.
//   npm run bench -- [--chunks 10000,100000] [--json FILE]
// The service alone, where filling the bare stores takes too long:
//   npm run bench -- --chunks 1000000 --alone
// With a model it measures the embedding of short texts instead, and how long the event loop waits meanwhile.
//   npm run bench -- --model threadkeep-static-256 [--dimension 256] [--texts 100000]
// The command line alone, as a person waits for it:
//   npm run bench -- cli
// Importing alone, how fast exports are read and what they hold is stored:
//   npm run bench -- --imports [--megabytes 40] [--conversations 2000]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makeReady } from './ready.mjs';

makeReady();
if (process.argv[2] === 'cli') {
  const { benchCommandLine } = await import('../bench/command-line.mjs');
  await benchCommandLine();
  process.exit();
}
const { authCost } = await import('../bench/auth.mjs');
const { corpus } = await import('../bench/corpus.mjs');
const { openRaw } = await import('../bench/raw.mjs');
const { startMeasured } = await import('../bench/service.mjs');
const { measure } = await import('../bench/timing.mjs');

const { values } = parseArgs({
  options: {
    chunks: { type: 'string', default: '10000,100000' },
    alone: { type: 'boolean', default: false },
    json: { type: 'string' },
    model: { type: 'string' },
    dimension: { type: 'string', default: '256' },
    texts: { type: 'string', default: '100000' },
    imports: { type: 'boolean', default: false },
    megabytes: { type: 'string', default: '40' },
    conversations: { type: 'string', default: '2000' },
  },
});
if (values.model !== undefined) {
  const { benchEmbeddings } = await import('../bench/embeddings.mjs');
  await benchEmbeddings({ model: values.model, dimension: Number(values.dimension), count: Number(values.texts) });
  process.exit();
}
const importing = async () => {
  const { benchImports } = await import('../bench/imports.mjs');
  return benchImports({ megabytes: Number(values.megabytes), conversations: Number(values.conversations) });
};
if (values.imports) {
  const report = await importing();
  if (values.json) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
  process.exit();
}
const turns = 10;
if (values.alone) {
  const { benchAlone } = await import('../bench/alone.mjs');
  for (const chunks of values.chunks.split(',').map(Number)) await benchAlone({ chunks, turns });
  process.exit();
}
const results = [];
for (const chunks of values.chunks.split(',').map(Number)) results.push(await benchAt(chunks));
results.push({ imports: await importing() });
if (values.json) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);

async function benchAt(chunks) {
  const folder = mkdtempSync(join(tmpdir(), 'threadkeep-bench-'));
  let service = await startMeasured(folder);
  const raw = await openRaw(folder);
  try {
    const fill = (await import('../bench/corpus.mjs')).corpus(1);
    const conversations = Array.from({ length: chunks / turns }, () => fill.conversation(turns));
    let at = 0;
    const filled = await measure(conversations.length, 8, () => service.insert(conversations[at++]));
    at = 0;
    const rawFilled = await measure(conversations.length, 1, () => raw.insert(conversations[at++]));
    await raw.tidy(chunks);
    // The service tidies up in the background once a burst of writes pauses.
    await delay(10_000);
    const more = corpus(2);
    const asked = corpus(3);
    const report = {
      chunks,
      fill: pair(filled, rawFilled),
      search: await searchPair(service, raw, asked),
      insert1: pair(
        await measure(100, 1, () => service.insert(more.conversation(turns))),
        await measure(100, 1, () => raw.insert(more.conversation(turns))),
      ),
      insert8: pair(
        await measure(400, 8, () => service.insert(more.conversation(turns))),
        await measure(400, 8, () => raw.insert(more.conversation(turns))),
      ),
      memory: service.memory(),
    };
    await service.stop();
    service = await startMeasured(folder);
    report.startMs = service.startMs;
    await service.stop();
    report.auth = await authCost(folder, Array.from({ length: 250 }, asked.query));
    print(report);
    return report;
  } finally {
    await service.stop();
    raw.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** As a client asks: ten whole results. */
function asking(query) {
  return { query, top_k: 10 };
}

async function searchPair(service, raw, asked) {
  const queries = Array.from({ length: 120 }, asked.query);
  for (const query of queries.slice(0, 20)) await Promise.all([service.search(asking(query)), raw.search(query)]);
  let at = 20;
  const ours = await measure(100, 1, () => service.search(asking(queries[at++])));
  at = 20;
  const theirs = await measure(100, 1, () => raw.search(queries[at++]));
  return pair(ours, theirs);
}

function pair(ours, raw) {
  return { ours, raw, latency: ours.p50 / raw.p50, rate: raw.perSecond / ours.perSecond };
}

function print({ chunks, fill, search, insert1, insert8, memory, startMs, auth }) {
  const ms = (value) => `${value.toFixed(1)} ms`;
  const line = (name, { ours, raw, latency }) =>
    `${name.padEnd(22)} p50 ${ms(ours.p50).padStart(9)}  p95 ${ms(ours.p95).padStart(9)}   raw p50 ${ms(raw.p50).padStart(9)}  p95 ${ms(raw.p95).padStart(9)}   ${latency.toFixed(2)}×`;
  const rate = (name, { ours, raw, rate: ratio }) =>
    `${name.padEnd(22)} ${ours.perSecond.toFixed(0).padStart(6)}/s, ${(ours.perSecond * turns).toFixed(0).padStart(6)} messages/s   raw ${raw.perSecond.toFixed(0).padStart(6)}/s   ${ratio.toFixed(2)}×`;
  console.log(
    `\n${chunks.toLocaleString('en')} chunks (conversations of ${turns} turns; × = time of the service / time of the bare stores)`,
  );
  console.log(rate('fill, 8 writers (raw 1)', fill));
  console.log(line('search', search));
  console.log(line('insert, 1 writer', insert1));
  console.log(rate('insert, 1 writer', insert1));
  console.log(line('insert, 8 writers', insert8));
  console.log(rate('insert, 8 writers', insert8));
  console.log(
    `search with a token    p50 ${ms(auth.guarded)} beside ${ms(auth.open)} without: ${auth.ratio.toFixed(3)}×`,
  );
  console.log(`start ${startMs.toFixed(0)} ms, resident ${memory.rss} MiB (peak ${memory.peak} MiB)`);
}
