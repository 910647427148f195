// What the library costs: its calls in this process beside the operations they run, and its client beside `fetch`. Both sides
// take turns call by call on the same memory, so that whatever else the machine does hits both.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRuntime } from '../dist/app/open-runtime.js';
import { localPrincipal } from '../dist/auth/access.js';
import { loadConfig } from '../dist/config/load.js';
import { operations } from '../dist/operations/table.js';
import { connectMemory } from '../dist/sdk/client.js';
import { memoryOn } from '../dist/sdk/embedded.js';
import { startService } from '../eval/service.mjs';
import { corpus } from './corpus.mjs';

const mostEmbedded = 1.05;
const mostClient = 1.1;
const conversations = 60;

/** One entry for each pair of sides and each call, with the ratios of median time and of processor time. */
export async function benchSdk() {
  const folder = mkdtempSync(join(tmpdir(), 'threadkeep-bench-sdk-'));
  try {
    console.log(
      '\nthe library beside the operations (embedded), and beside fetch (client): medians, processor time here',
    );
    const report = [...(await embedded(join(folder, 'data'))), ...(await client(folder))];
    return report;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function embedded(dataDir) {
  // With vectors in memory and without models a call is short, and what the library adds to it shows the more.
  const models = { reader: false, tagger: false, deep_index: false };
  const flags = { paths: { data_dir: dataDir }, providers: { vector_db: 'memory' }, models };
  const { config } = await loadConfig({ cwd: tmpdir(), environment: {}, flags });
  const observer = { log() {}, count() {}, duration() {} };
  const runtime = await openRuntime({ config, observer, purpose: 'command', reads: true });
  const memory = memoryOn(runtime, observer, {});
  const call = { principal: localPrincipal, defaultSource: 'unknown' };
  const direct = (name) => (input) => operations[name].execute(runtime.service, call, input);
  try {
    return await compared('embedded', mostEmbedded, {
      insert: [memory.insert, direct('insert')],
      search: [memory.search, direct('search')],
      retrieve: [memory.retrieve, direct('retrieve')],
      list: [memory.conversations.list, direct('conversations_list')],
      facts: [memory.facts.search, direct('facts_search')],
    });
  } finally {
    await memory.close();
  }
}

async function client(folder) {
  const service = await startService(folder, [
    ['providers.vector_db', 'memory'],
    ['models.reader', 'false'],
    ['models.tagger', 'false'],
    ['models.deep_index', 'false'],
  ]);
  const memory = connectMemory(service.url);
  const fetched = (path) => async (input) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(input) });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return answer;
  };
  try {
    return await compared('client', mostClient, {
      insert: [memory.insert, fetched('/memory/insert')],
      search: [memory.search, fetched('/memory/search')],
      retrieve: [memory.retrieve, fetched('/memory/retrieve')],
      list: [memory.conversations.list, fetched('/memory/conversations/list')],
      facts: [memory.facts.search, fetched('/memory/facts/search')],
    });
  } finally {
    await memory.close();
    await service.stop();
  }
}

async function compared(side, most, sides) {
  const words = corpus(side.length);
  const ids = [];
  const insert = () => words.conversation(4);
  const report = [];
  const add = async (name, rounds, inputOf) => {
    const ratios = await inTurns(sides[name], rounds, inputOf);
    const within = ratios.time <= most && ratios.processor <= most;
    report.push({ side, call: name, most, ...ratios, within });
    print(report.at(-1));
  };
  for (let at = 0; at < conversations; at++) ids.push((await sides.insert[1](insert())).id);
  const queries = Array.from({ length: 50 }, words.query);
  await add('insert', 100, () => [insert(), insert()]);
  await add('search', 200, (at) => twice({ query: queries[at % queries.length], top_k: 10 }));
  await add('retrieve', 1_000, (at) => twice({ id: ids[at % ids.length] }));
  await add('list', 300, () => twice({ limit: 20 }));
  await add('facts', 300, () => twice({ limit: 20 }));
  return report;
}

function twice(input) {
  return [input, input];
}

/** Median milliseconds and processor milliseconds of each side, and both ratios. The first fifth warms them up. */
async function inTurns(sides, rounds, inputOf) {
  const took = sides.map(() => []);
  const used = sides.map(() => []);
  for (let round = 0; round < rounds; round++) {
    const inputs = inputOf(round);
    // The second finds warm caches, so the sides take turns in that too.
    for (const side of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const before = process.cpuUsage();
      const from = performance.now();
      await sides[side](inputs[side]);
      const elapsed = performance.now() - from;
      const { user, system } = process.cpuUsage(before);
      if (round < rounds / 5) continue;
      took[side].push(elapsed);
      used[side].push((user + system) / 1_000);
    }
  }
  const [ours, theirs] = took.map(median);
  const [oursUsed, theirsUsed] = used.map(withoutOutliers);
  return { ours, theirs, time: ours / theirs, oursUsed, theirsUsed, processor: oursUsed / theirsUsed };
}

function median(list) {
  return list.sort((one, other) => one - other)[Math.floor(list.length / 2)];
}

/** The mean without the highest tenth, which is garbage collection and the stores' work in the background. */
function withoutOutliers(list) {
  const kept = list.sort((one, other) => one - other).slice(0, Math.ceil(list.length * 0.9));
  return kept.reduce((sum, each) => sum + each, 0) / kept.length;
}

function print({ side, call, most, ours, theirs, time, oursUsed, theirsUsed, processor, within }) {
  const ms = (value) => value.toFixed(3).padStart(8);
  console.log(
    `${side.padEnd(9)} ${call.padEnd(9)} ${ms(ours)} ms  beside ${ms(theirs)} ms  ${time.toFixed(3)}×   ` +
      `processor ${ms(oursUsed)} ms  beside ${ms(theirsUsed)} ms  ${processor.toFixed(3)}×   ` +
      `${within ? 'within' : 'ABOVE'} ${most}×`,
  );
}
