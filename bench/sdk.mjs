// What the library costs: its calls in this process beside the operations they run, and its client beside `fetch`. The sides
// take turns call by call on the same memory, so that whatever else the machine does hits all of them. The other side runs
// twice in each round; what differs between its two runs is the noise of the measurement, printed beside each ratio.
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
/** Each call is measured this many times, and the median counts: one pass beside a busy neighbour decides nothing. */
const passes = 5;

/** One entry for each side and each call: its time and processor time, their ratios to the other side, and the noise. */
export async function benchSdk() {
  const folder = mkdtempSync(join(tmpdir(), 'threadkeep-bench-sdk-'));
  try {
    console.log(
      '\nthe library beside the operations (embedded), and beside fetch (client): time and processor time here; ± is the other side beside itself',
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
    const [ours, theirs] = sides[name];
    // The first pass warms up: it is run and dropped.
    const measured = [];
    for (let pass = 0; pass <= passes; pass++) measured.push(await inTurns([ours, theirs, theirs], rounds, inputOf));
    const entry = { side, call: name, most, ...summary(measured.slice(1)) };
    const within = entry.time.ratio <= most && entry.processor.ratio <= most;
    report.push({ ...entry, within });
    print(report.at(-1));
  };
  for (let at = 0; at < conversations; at++) ids.push((await sides.insert[1](insert())).id);
  const queries = Array.from({ length: 50 }, words.query);
  await add('insert', 30, insert);
  await add('search', 50, (at) => ({ query: queries[at % queries.length], top_k: 10 }));
  await add('retrieve', 300, (at) => ({ id: ids[at % ids.length] }));
  await add('list', 150, () => ({ limit: 20 }));
  await add('facts', 300, () => ({ limit: 20 }));
  return report;
}

/** Milliseconds and processor milliseconds of a call, for each side. */
async function inTurns(sides, rounds, inputOf) {
  const time = sides.map(() => []);
  const processor = sides.map(() => []);
  for (let round = 0; round < rounds; round++) {
    // Two sides may not store the same conversation, so an insert gets a new one for each.
    const shared = inputOf(round);
    for (let turn = 0; turn < sides.length; turn++) {
      // Whoever comes later finds warm caches, so each side comes at each place.
      const side = (round + turn) % sides.length;
      const input = shared.messages === undefined ? shared : inputOf(round);
      const before = process.cpuUsage();
      const from = performance.now();
      await sides[side](input);
      const elapsed = performance.now() - from;
      const { user, system } = process.cpuUsage(before);
      time[side].push(elapsed);
      processor[side].push((user + system) / 1_000);
    }
  }
  return { time: time.map(undisturbed), processor: processor.map(undisturbed) };
}

/** The mean of the lower half: the rest is garbage collection, work in the background and the neighbours on the machine. */
function undisturbed(list) {
  const kept = list.sort((one, other) => one - other).slice(0, Math.ceil(list.length / 2));
  return kept.reduce((sum, each) => sum + each, 0) / kept.length;
}

function summary(measured) {
  const of = (what) => {
    const all = measured.map((pass) => pass[what]);
    const both = all.map(([ours, one, other]) => ({
      ours,
      theirs: (one + other) / 2,
      noise: Math.abs(one / other - 1),
    }));
    return {
      ours: median(both.map(({ ours }) => ours)),
      theirs: median(both.map(({ theirs }) => theirs)),
      ratio: median(both.map(({ ours, theirs }) => ours / theirs)),
      noise: median(both.map(({ noise }) => noise)),
    };
  };
  return { time: of('time'), processor: of('processor') };
}

function median(list) {
  return list.sort((one, other) => one - other)[Math.floor(list.length / 2)];
}

function print({ side, call, most, time, processor, within }) {
  const ms = (value) => value.toFixed(3).padStart(8);
  const shown = ({ ours, theirs, ratio, noise }) =>
    `${ms(ours)} ms  beside ${ms(theirs)} ms  ${ratio.toFixed(3)}× ± ${noise.toFixed(3)}`;
  console.log(
    `${side.padEnd(9)} ${call.padEnd(9)} ${shown(time)}   processor ${shown(processor)}   ` +
      `${within ? 'within' : 'ABOVE'} ${most}×`,
  );
}
