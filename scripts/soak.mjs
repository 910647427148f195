// `npm run test:soak -- --minutes 10`: a real server in a process of its own, 32 clients, and faults that come and go.
// Failures are allowed while a fault is on and until the service says that it is well again, and at no other time. At the
// end everything that was acknowledged must be there, once, and both stores must agree.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seeded } from '../test/support/faults/faults.mjs';
import { makeReady } from './ready.mjs';
import { startEmbeddingServer } from './soak/embedding-server.mjs';
import { runFaults } from './soak/faults.mjs';
import { clientOf, createLedger, fill, runClient } from './soak/load.mjs';
import { createNotes, middle } from './soak/report.mjs';
import { startServer } from './soak/server.mjs';
import { compareStores, verify } from './soak/verify.mjs';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    clients: { type: 'string', default: '32' },
    seed: { type: 'string', default: '20261115' },
    /** Part of a name: only faults like that. */
    fault: { type: 'string', default: '' },
  },
});
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error('--minutes must be a number above 0');
makeReady();

const dimension = 64;
/** Short runs have short faults. */
const scale = Math.min(1, minutes / 2);
const seed = Number(values.seed);
const random = seeded(seed);
const folder = mkdtempSync(join(tmpdir(), 'threadkeep-soak-'));
const model = await startEmbeddingServer(dimension);
writeFileSync(
  join(folder, 'config.yaml'),
  JSON.stringify({
    providers: { embeddings: 'http', embedding_model: 'hash', embedding_dimension: dimension },
    embedding_endpoint: { base_url: model.url },
    embeddings: { timeout_ms: 5_000, max_retries: 1, concurrency: 8 },
    storage: { allow_trusted_appends: true, timeout_ms: 20_000 },
    circuit: { failures: 5, pause_ms: 1_000 },
    api: { port: 0 },
    observability: { log_level: 'error', access_logs: false },
  }),
);

const server = await startServer(folder, { seed });
const state = { phase: 'clear', fault: '', missed: 0, url: server.url, ...clientOf(server.url) };
const notes = createNotes();
const ledger = createLedger();
/** Small tables are searched in a copy in memory: a long run begins beyond that. */
const before = scale === 1 ? 1_200 : 0;
if (before > 0) await fill({ state, ledger, conversations: before });
const end = performance.now() + minutes * 60_000;
const looks = [];
const looking = setInterval(async () => {
  const look = await server.order('look');
  if (look !== undefined) looks.push(look);
  if (looks.length % 12 === 0) console.error(`${ledger.threads.length} conversations; ${state.phase} ${state.fault}`);
}, 5_000 * scale);

const shared = { state, random, end };
const [faults] = await Promise.all([
  runFaults({ ...shared, server, model, scale, only: values.fault }),
  ...Array.from({ length: Number(values.clients) }, (_, client) =>
    runClient({ ...shared, client, ledger, note: notes.note }),
  ),
]);
clearInterval(looking);
const verified = await verify({ state, ledger, random, before });
await server.order('close');
const ended = await server.exited;
const compared = compareStores(folder);
model.close();

const table = notes.table();
const failures = notes.failures();
const grown = (value) => ({ early: middle(looks, 0.2, 0.5, value), late: middle(looks, 0.8, 1, value) });
const memory = grown(({ rss }) => Math.round(rss / 1e6));
const heap = grown(({ heapUsed, arrayBuffers }) => Math.round((heapUsed + arrayBuffers) / 1e6));
const handles = grown((look) => look.handles);
const clear = table.find((row) => row.phase === 'clear' && row.operation === 'all');
const rules = {
  'no failure while no fault is on': (clear?.failed ?? 1) === 0 && (clear?.requests ?? 0) > 0,
  'nothing hangs': table.every(({ max }) => max < 60_000),
  'every refusal says when to come back': failures['no Retry-After'] === undefined,
  'the service recovers from every fault': faults.every(({ recovery_ms }) => recovery_ms !== undefined),
  'nothing acknowledged was missing while it ran': state.missed === 0,
  'everything acknowledged is there, found and once': verified.problems.length === 0,
  'metadata and vectors agree':
    compared.points === compared.vector_rows &&
    compared.reindexed_chunks + compared.removed_chunks + compared.removed_vectors + compared.stray_vectors === 0,
  // The index of the data grows with the data; what is lost to a leak grows without it.
  'memory is flat': memory.late <= memory.early * 1.25 + 60,
  'file handles are flat': handles.late <= handles.early + 16,
  'the server ends when it is told to': ended.code === 0,
};
const report = {
  minutes,
  clients: Number(values.clients),
  faults,
  failures,
  memory_mb: memory,
  heap_mb: heap,
  handles,
};
console.log(
  JSON.stringify({ ...report, verified: { ...verified, problems: verified.problems.slice(0, 10) }, compared }, null, 1),
);
console.table(table.toSorted((one, other) => (one.phase + one.operation < other.phase + other.operation ? -1 : 1)));
for (const [rule, holds] of Object.entries(rules)) console.log(`${holds ? 'ok    ' : 'FAILED'} ${rule}`);
const passed = Object.values(rules).every(Boolean);
if (!passed) console.log(`the server's last words:\n${server.printed().slice(-1_500)}`);
if (passed) rmSync(folder, { recursive: true, force: true });
else console.log(`the data is in ${folder}`);
process.exit(passed ? 0 : 1);
