// Where the resident memory of the service goes: after a start, after searches and after questions (Linux).
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { corpus } from './corpus.mjs';
import { startMeasured } from './service.mjs';
import { measure } from './timing.mjs';

const probe = new URL('./memory-probe.mjs', import.meta.url).href;
// Reading stored messages for facts and vectors takes minutes, and is not part of a start.
const settings = [
  ['models.tagger', 'false'],
  ['models.deep_index', 'false'],
];

export async function benchMemory({ chunks, turns }) {
  const folder = mkdtempSync(join(tmpdir(), 'threadkeep-bench-memory-'));
  const report = join(folder, 'threads.json');
  let service = await startMeasured(folder, settings);
  try {
    const fill = corpus(1);
    await measure(chunks / turns, 8, () => service.insert(fill.conversation(turns)));
    await service.idle();
    console.log(`\n${chunks.toLocaleString('en')} chunks: resident after the fill ${service.memory().rss} MiB`);
    await service.stop();
    service = await startProbed(folder, report);
    await service.idle();
    await print('after a start', service, report);
    const asked = corpus(3);
    for (let i = 0; i < 100; i++) await service.search({ query: asked.query(), top_k: 10 });
    await print('after 100 searches', service, report);
    for (let i = 0; i < 3; i++) await service.ask({ question: asked.query() });
    await print('after 3 questions', service, report);
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startProbed(folder, report) {
  const before = process.env.NODE_OPTIONS;
  process.env.NODE_OPTIONS = `${before ?? ''} --import=${probe}`.trim();
  process.env.MEMORY_REPORT = report;
  try {
    return await startMeasured(folder, settings);
  } finally {
    delete process.env.MEMORY_REPORT;
    if (before === undefined) delete process.env.NODE_OPTIONS;
    else process.env.NODE_OPTIONS = before;
  }
}

async function print(when, { pid, memory }, report) {
  console.log(`\n${when}: resident ${memory().rss} MiB`);
  for (const [name, size] of mappingsOf(pid).slice(0, 8)) console.log(`  ${name.padEnd(40)} ${size.toFixed(1)}`);
  rmSync(report, { force: true });
  process.kill(pid, 'SIGUSR2');
  for (let waited = 0; !existsSync(report) && waited < 100; waited++) await delay(100);
  await delay(100);
  console.table(JSON.parse(readFileSync(report, 'utf8')));
}

/** Resident MiB by what is mapped there, largest first; `anonymous` is the memory of heaps and buffers. */
function mappingsOf(pid) {
  const sizes = new Map();
  let name = '';
  for (const line of readFileSync(`/proc/${pid}/smaps`, 'utf8').split('\n')) {
    const mapping = /^[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ \d+\s*(.*)$/.exec(line);
    if (mapping) name = mapping[1]?.split('/').at(-1) || 'anonymous';
    const resident = /^Rss:\s+(\d+)/.exec(line);
    if (resident) sizes.set(name, (sizes.get(name) ?? 0) + Number(resident[1]) / 1024);
  }
  return [...sizes].sort((one, other) => other[1] - one[1]);
}
