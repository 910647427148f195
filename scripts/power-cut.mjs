// Replays what a real server wrote, as a kill or a power cut at any moment would have left it, and opens every such state.
//   node scripts/power-cut.mjs [--kills 10000] [--states 100000] [--rounds 8] [--chances 6] [--share 1] [--seed 1] [--workers 2]
//   node scripts/power-cut.mjs --recording FILE      judges a recording that exists
//   node scripts/power-cut.mjs --write FILE          makes one, small enough to keep, and judges nothing
// Recording needs Linux and a C compiler; without them the recording that is part of the source is judged instead.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeReady, root } from './ready.mjs';

makeReady();
const { record, whyNoRecording } = await import('../test/power-cut/record.mjs');
const { pack, unpack } = await import('../test/power-cut/recording.mjs');
const { added, replay } = await import('../test/power-cut/replay.mjs');
const { scratchFolder } = await import('../test/power-cut/judge.mjs');

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '10000' },
    states: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '8' },
    chances: { type: 'string', default: '6' },
    share: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: String(Math.min(8, availableParallelism())) },
    recording: { type: 'string' },
    write: { type: 'string' },
  },
});
const kept = join(root, 'test', 'power-cut', 'recording.br');
const missing = whyNoRecording();

if (values.write !== undefined) await writeRecording(values.write);
else await judge();

async function writeRecording(path) {
  if (missing !== undefined) throw new Error(`nothing can be recorded: ${missing}`);
  const packed = pack(await freshRecording(Number(values.seed), 2));
  writeFileSync(path, packed);
  console.log(`${path}: ${packed.length} bytes`);
}

async function judge() {
  const wanted = { kill: Number(values.kills), power: Number(values.states) };
  const options = { workers: Number(values.workers), chances: Number(values.chances), share: Number(values.share) };
  const started = performance.now();
  const results = [];
  const total = () => added(results);
  const enough = () => total().kill >= wanted.kill && total().power >= wanted.power;
  for (let number = 0; number === 0 || (!enough() && isFresh() && hasNoFailure(total())); number++) {
    const seed = Number(values.seed) + number;
    const bytes = isFresh()
      ? await freshRecording(seed, Number(values.rounds))
      : unpack(readFileSync(values.recording ?? kept));
    say(sourceOf(seed));
    const result = await replay(bytes, { ...options, seed });
    results.push(result);
    say(`  ${result.commits} commits; acknowledged: ${listed(result.operations)}`);
    say(`  ${result.kill} kill points, ${result.power} power-cut states (${result.equal} equal ones left out)`);
  }
  report(total(), { seconds: (performance.now() - started) / 1_000, wanted });
}

function isFresh() {
  return values.recording === undefined && missing === undefined;
}

function sourceOf(seed) {
  if (values.recording !== undefined) return `RECORDING from ${values.recording}`;
  return missing === undefined
    ? `FRESH RECORDING ${seed} of the real server`
    : `COMMITTED RECORDING, because ${missing}`;
}

/** A request that a busy server refuses ends a recording, but says nothing about what survives. */
async function freshRecording(seed, rounds) {
  for (let attempt = 1; ; attempt++) {
    const folder = mkdtempSync(join(scratchFolder(tmpdir()), 'threadkeep-recording-'));
    try {
      return await record(folder, { seed, rounds });
    } catch (error) {
      if (attempt === 3) throw error;
      say(`  nothing was recorded, which is tried again: ${error.message}`);
    }
  }
}

function report({ kill, power, equal, slowest, lost, corrupt }, { seconds, wanted }) {
  console.log(`kill points                ${kill}`);
  console.log(`power-cut states           ${power}`);
  console.log(`equal states left out      ${equal}`);
  console.log(`lost acknowledgements      ${lost.length}`);
  console.log(`corrupt or half states     ${corrupt.length}`);
  console.log(`slowest recovery           ${slowest.toFixed(0)} ms`);
  console.log(`time                       ${seconds.toFixed(0)} s`);
  for (const line of [...lost, ...corrupt].slice(0, 20)) console.log(`  ${line}`);
  const failures = [
    ...(lost.length > 0 ? [`${lost.length} acknowledgements are lost: ${lost[0]}`] : []),
    ...(corrupt.length > 0 ? [`${corrupt.length} states are corrupt: ${corrupt[0]}`] : []),
    ...(slowest >= 1_000 ? [`the slowest recovery took ${slowest.toFixed(0)} ms`] : []),
    ...(isFresh() && (kill < wanted.kill || power < wanted.power) ? ['fewer states than wanted'] : []),
  ];
  if (failures.length === 0) return;
  console.error(`failed: ${failures.join('; ')}`);
  process.exitCode = 1;
}

function hasNoFailure({ lost, corrupt }) {
  return lost.length === 0 && corrupt.length === 0;
}

function listed(counts) {
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}

function say(text) {
  process.stderr.write(`${text}\n`);
}
