// `npm run bench`: the service over HTTP beside the same work on bare SQLite and LanceDB, in one run, as ratios; and what
// a search costs of processor time and memory beside the plainest design that answers it (bench/plain.mjs).
//   npm run bench -- [--chunks 10000,100000] [--json FILE]
// The service alone, where filling the bare stores takes too long:
//   npm run bench -- --chunks 1000000 --alone
// Where the resident memory goes, by thread and by mapping:
//   npm run bench -- --memory [--chunks 10000]
// With a model it measures the embedding of short texts instead, and how long the event loop waits meanwhile.
//   npm run bench -- --model threadkeep-static-256 [--dimension 256] [--texts 100000]
// The command line alone, as a person waits for it:
//   npm run bench -- cli
// The console in a browser, load and interaction; with --store the folder is filled once and used again:
//   npm run bench -- console [--conversations 100000] [--store FOLDER] [--json FILE]
// What the library adds to the operations, and its client to `fetch`:
//   npm run bench -- sdk [--json FILE]
// Other ways to keep and search the same conversations beside Threadkeep; --data FOLDER adds suites for recall:
//   npm run bench -- peers [--chunks 10000] [--only lancedb,chroma] [--data FOLDER] [--suite NAME …] [--json FILE]
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
if (process.argv[2] === 'console') {
  const { benchConsole } = await import('../bench/console.mjs');
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: {
      conversations: { type: 'string', default: '100000' },
      store: { type: 'string' },
      json: { type: 'string' },
    },
  });
  const report = await benchConsole({ conversations: Number(values.conversations), store: values.store });
  if (values.json) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
  process.exit();
}
if (process.argv[2] === 'peers') {
  const { benchPeers } = await import('../bench/peers/run.mjs');
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: {
      chunks: { type: 'string', default: '10000' },
      only: { type: 'string' },
      data: { type: 'string' },
      suite: { type: 'string', multiple: true, default: [] },
      json: { type: 'string' },
    },
  });
  const { chunks, only, data, suite, json } = values;
  const onReport = (known) => json && writeFileSync(json, `${JSON.stringify(known, null, 2)}\n`);
  const report = await benchPeers({ chunks: Number(chunks), only: only?.split(','), data, suites: suite, onReport });
  process.exit(report.some(({ failed }) => failed !== undefined) ? 1 : 0);
}
const { benchSdk } = await import('../bench/sdk.mjs');
const { askPair } = await import('../bench/ask.mjs');
const { authCost } = await import('../bench/auth.mjs');
const { corpus } = await import('../bench/corpus.mjs');
const { bytesIn, textBytes, watchBytes } = await import('../bench/disk.mjs');
const { printGoals } = await import('../bench/goals.mjs');
const { startPlain } = await import('../bench/plain.mjs');
const { openRaw } = await import('../bench/raw.mjs');
const { startMeasured } = await import('../bench/service.mjs');
const { startPair } = await import('../bench/startup.mjs');
const { measure } = await import('../bench/timing.mjs');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    chunks: { type: 'string', default: '10000,100000' },
    alone: { type: 'boolean', default: false },
    json: { type: 'string' },
    model: { type: 'string' },
    dimension: { type: 'string', default: '256' },
    texts: { type: 'string', default: '100000' },
    memory: { type: 'boolean', default: false },
    imports: { type: 'boolean', default: false },
    megabytes: { type: 'string', default: '40' },
    conversations: { type: 'string', default: '2000' },
  },
});
if (positionals[0] === 'sdk') {
  const report = await benchSdk();
  if (values.json) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
  process.exit(report.every(({ within }) => within) ? 0 : 1);
}
if (positionals.length > 0)
  throw new Error(`${positionals[0]} is not a benchmark: leave it out, or write cli, sdk, console or peers`);
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
// What was stored a moment ago is not read for facts and vectors meanwhile: that takes minutes, and is not part of a search.
const quiet = [
  ['models.tagger', 'false'],
  ['models.deep_index', 'false'],
];
if (values.alone) {
  const { benchAlone } = await import('../bench/alone.mjs');
  for (const chunks of values.chunks.split(',').map(Number)) await benchAlone({ chunks, turns });
  process.exit();
}
if (values.memory) {
  const { benchMemory } = await import('../bench/memory.mjs');
  for (const chunks of values.chunks.split(',').map(Number)) await benchMemory({ chunks, turns });
  process.exit();
}
const results = [];
for (const chunks of values.chunks.split(',').map(Number)) results.push(await benchAt(chunks));
results.push({ imports: await importing() });
results.push({ sdk: await benchSdk() });
if (values.json) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);

async function benchAt(chunks) {
  const folder = mkdtempSync(join(tmpdir(), 'threadkeep-bench-'));
  let service = await startMeasured(folder);
  const raw = await openRaw(folder);
  let plain = await startPlain(folder);
  try {
    const fill = (await import('../bench/corpus.mjs')).corpus(1);
    const conversations = Array.from({ length: chunks / turns }, () => fill.conversation(turns));
    const data = join(folder, 'data');
    const watched = watchBytes(data);
    let at = 0;
    const filled = await measure(conversations.length, 8, () => service.insert(conversations[at++]));
    const disk = { most: watched.stop(), text: textBytes(conversations) };
    const afterFill = service.memory();
    at = 0;
    const rawFilled = await measure(conversations.length, 1, () => raw.insert(conversations[at++]));
    await raw.tidy(chunks);
    await plain.insert(conversations);
    // The service tidies up in the background once a burst of writes pauses.
    await delay(10_000);
    disk.after = bytesIn(data);
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
      disk,
      filled: afterFill,
      memory: service.memory(),
    };
    await Promise.all([service.stop(), plain.stop()]);
    service = await startMeasured(folder, quiet);
    plain = await startPlain(folder);
    report.cost = await searchCost(service, plain, asked);
    await service.stop();
    report.start = await startPair(folder, quiet);
    report.ask = await askPair(folder, asked);
    report.auth = await authCost(folder, Array.from({ length: 250 }, asked.query), quiet);
    print(report);
    printGoals(report);
    return report;
  } finally {
    await Promise.all([service.stop(), plain.stop()]);
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

/** Processor time of a search and resident memory, of processes that have just been started. They take turns. */
async function searchCost(service, plain, asked) {
  await service.idle();
  const started = { ours: service.memory().rss, plain: plain.memory().rss };
  const own = async (queries) => {
    let at = 0;
    const before = service.processorMs();
    const took = await measure(queries.length, 1, () => service.search(asking(queries[at++])));
    return { ...took, processorMs: (service.processorMs() - before) / queries.length };
  };
  const rounds = [];
  for (let round = 0; round < 6; round++) {
    const queries = Array.from({ length: 50 }, asked.query);
    rounds.push({ ours: await own(queries), plain: await plain.search(queries) });
  }
  // The first round warms both up.
  const medianOf = (whose, what) =>
    rounds
      .slice(1)
      .map((round) => round[whose][what])
      .sort((one, other) => one - other)[2];
  const both = (what) => ({ ours: medianOf('ours', what), plain: medianOf('plain', what) });
  return {
    p50: both('p50'),
    processorMs: both('processorMs'),
    started,
    searched: { ours: service.memory().rss, plain: plain.memory().rss },
  };
}

function pair(ours, raw) {
  return { ours, raw, latency: ours.p50 / raw.p50, rate: raw.perSecond / ours.perSecond };
}

function print({ chunks, fill, search, insert1, insert8, memory, disk, start, ask, cost, auth }) {
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
  const beside = (name, { ours, plain }, unit, digits = 0) =>
    `${name.padEnd(22)} ${ours.toFixed(digits)} ${unit}   plain ${plain.toFixed(digits)} ${unit}   ${(ours / plain).toFixed(2)}×`;
  console.log('\nbeside FTS5 and a scan of all vectors in one process, without a service (plain)');
  console.log(beside('search p50', cost.p50, 'ms', 1));
  console.log(beside('processor time', cost.processorMs, 'ms a search', 1));
  console.log(beside('resident, started', cost.started, 'MiB'));
  console.log(beside('resident, searched', cost.searched, 'MiB'));
  console.log(
    `start ${start.ours.toFixed(0)} ms, Node and the bare stores ${start.raw.toFixed(0)} ms   resident ${memory.rss} MiB (peak ${memory.peak} MiB)`,
  );
  const mebibytes = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
  console.log(`ask ${ms(ask.ask)} beside a search ${ms(ask.search)}, without the model that reads`);
  console.log(
    `disk ${mebibytes(disk.after)} after the fill, ${mebibytes(disk.most)} at most   text ${mebibytes(disk.text)}`,
  );
}
