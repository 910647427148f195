// How long the service takes from its start until it answers, beside the least that a program on the same stores needs:
// starting Node, loading both libraries, opening both stores and reading a row of each.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startMeasured } from './service.mjs';

const self = fileURLToPath(import.meta.url);
const rounds = 5;

/** Medians in milliseconds. They take turns, on stores that are filled and closed. */
export async function startPair(folder, settings) {
  const ours = [];
  const raw = [];
  for (let round = 0; round < rounds; round++) {
    const service = await startMeasured(folder, settings);
    ours.push(service.startMs);
    await service.stop();
    raw.push(await bareStart(folder));
  }
  const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(rounds / 2)];
  return { ours: median(ours), raw: median(raw) };
}

function bareStart(folder) {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [self, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    let took;
    child.stdout.once('data', () => {
      took = performance.now() - started;
    });
    child.once('close', (code) => {
      if (code === 0 && took !== undefined) resolve(took);
      else reject(new Error(`opening the bare stores ended with ${code}`));
    });
  });
}

/** The stores of bench/raw.mjs. */
async function openBare(folder) {
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const { connect } = await import('@lancedb/lancedb');
  const database = new DatabaseSync(join(folder, 'raw.sqlite3'));
  database.prepare('SELECT id FROM messages LIMIT 1').get();
  const vectors = await connect(join(folder, 'raw-vectors'));
  const table = await vectors.openTable('chunks');
  await table.query().limit(1).toArray();
  return { close: () => [database, table, vectors].map((each) => each.close()) };
}

if (process.argv[1] === self) {
  const stores = await openBare(process.argv[2]);
  console.log('ready');
  stores.close();
}
