// What an insert and a search cost beside the baselines, as ratios of processor time, in a minute or two. Processor time
// depends far less than the clock on what else runs, and both sides of a ratio take turns, so the median of several rounds
// is steady enough to notice a loss: `node bench/ratios.mjs` fails when a ratio is more than a quarter above the recorded
// one. `--record` writes the present ones; do so with a change that is meant to cost something, or that wins something.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { corpus } from './corpus.mjs';
import { startPlain } from './plain.mjs';
import { openRaw } from './raw.mjs';
import { startMeasured } from './service.mjs';

const recordFile = new URL('./ratios.json', import.meta.url);
const mostLoss = 1.25;
const rounds = 7;
const turns = 10;
const perRound = { conversations: 30, queries: 50 };

// Models that read what was stored go on for minutes, and are measured elsewhere.
const settings = [
  ['models.tagger', 'false'],
  ['models.deep_index', 'false'],
];

const { values } = parseArgs({ options: { record: { type: 'boolean', default: false } } });
const folder = mkdtempSync(join(tmpdir(), 'threadkeep-bench-ratios-'));
const service = await startMeasured(folder, settings);
const raw = await openRaw(folder);
const plain = await startPlain(folder);
try {
  const measured = await ratios();
  if (Number.isNaN(measured.insert)) console.log('skipped: processor time of another process is read on Linux only');
  else if (values.record) record(measured);
  else compare(measured);
} finally {
  await Promise.all([service.stop(), plain.stop()]);
  raw.close();
  rmSync(folder, { recursive: true, force: true });
}

async function ratios() {
  const texts = corpus(1);
  const asked = corpus(3);
  const inserts = [];
  const searches = [];
  // The first round warms all of them up.
  for (let round = 0; round <= rounds; round++) {
    const conversations = Array.from({ length: perRound.conversations }, () => texts.conversation(turns));
    const queries = Array.from({ length: perRound.queries }, asked.query);
    const inserted = await usedByService(async () => {
      for (const conversation of conversations) await service.insert(conversation);
    });
    const insertedRaw = await usedHere(async () => {
      for (const conversation of conversations) await raw.insert(conversation);
    });
    await plain.insert(conversations);
    const searched = await usedByService(async () => {
      for (const query of queries) await service.search({ query, top_k: 10 });
    });
    const { processorMs } = await plain.search(queries);
    if (round === 0) continue;
    inserts.push(inserted / insertedRaw);
    searches.push(searched / (processorMs * queries.length));
  }
  return { insert: median(inserts), search: median(searches) };
}

/** With what it leaves to the background. */
async function usedByService(work) {
  await service.idle();
  const before = service.processorMs();
  await work();
  await service.idle();
  return service.processorMs() - before;
}

async function usedHere(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
}

function record({ insert, search }) {
  const rounded = (value) => Math.round(value * 100) / 100;
  const ratios = { insert: rounded(insert), search: rounded(search), processor: processor() };
  writeFileSync(recordFile, `${JSON.stringify(ratios, null, 2)}\n`);
  console.log(`recorded: insert ${ratios.insert} × raw, search ${ratios.search} × plain`);
}

function processor() {
  return cpus()[0]?.model ?? 'unknown';
}

function compare(measured) {
  const recorded = JSON.parse(readFileSync(recordFile, 'utf8'));
  // The service and the baselines gain differently from another processor, so a ratio of one says little about another.
  const isComparable = recorded.processor === processor();
  if (!isComparable) console.log('recorded on another kind of processor: told, not judged');
  for (const [name, baseline] of [
    ['insert', 'raw'],
    ['search', 'plain'],
  ]) {
    const isLost = isComparable && measured[name] > recorded[name] * mostLoss;
    if (isLost) process.exitCode = 1;
    const verdict = isLost ? `LOST more than ${Math.round((mostLoss - 1) * 100)} %` : 'ok';
    console.log(
      `${name}: ${measured[name].toFixed(2)} × ${baseline} in processor time, recorded ${recorded[name]}: ${verdict}`,
    );
  }
}
