/** Judges all states of one recording, in several processes, and adds up what they found. */
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { historyOf } from './history.mjs';
import { createJudge, scratchFolder } from './judge.mjs';
import { databaseName } from './record.mjs';
import { readRecords } from './recording.mjs';

const worker = fileURLToPath(new URL('./replay-worker.mjs', import.meta.url));
export const databasePath = `data/${databaseName}`;

/**
 * @param {Buffer} bytes the recording
 * @param {{ workers: number, chances: number, seed: number, share?: number }} options `share` of the states, all unless said otherwise
 */
export async function replay(bytes, { workers, ...options }) {
  const folder = mkdtempSync(join(scratchFolder(tmpdir()), 'threadkeep-power-cut-'));
  try {
    const records = readRecords(bytes);
    const judge = createJudge({ folder: join(folder, 'history'), database: databasePath });
    const history = await historyOf(records, judge);
    writeFileSync(join(folder, 'recording'), bytes);
    const shared = { digests: [...history.digests], required: history.required };
    writeFileSync(join(folder, 'history.json'), JSON.stringify(shared));
    const jobs = Array.from({ length: workers }, (_, index) => runWorker({ folder, index, workers, ...options }));
    const results = await Promise.all(jobs);
    return { ...added(results), commits: history.commits, operations: history.operations };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runWorker(job) {
  return new Promise((resolve, reject) => {
    const child = fork(worker, { serialization: 'advanced' });
    child.once('message', resolve);
    child.once('error', reject);
    // After its answer this changes nothing.
    child.once('exit', (code, signal) => reject(new Error(`a worker ended with ${code ?? signal}`)));
    child.send(job);
  });
}

export function added(results) {
  const sum = (field) => results.reduce((total, each) => total + each[field], 0);
  return {
    kill: sum('kill'),
    power: sum('power'),
    equal: sum('equal'),
    slowest: Math.max(0, ...results.map(({ slowest }) => slowest)),
    lost: results.flatMap(({ lost }) => lost),
    corrupt: results.flatMap(({ corrupt }) => corrupt),
  };
}
