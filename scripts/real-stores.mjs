// The ring of real servers: starts each with scripts/services, runs the suite of its contract and the whole service on it,
// stops it, and says what was proven. `--record` also writes the result to docs/conformance.json, from which docs/providers.md is made.
// Names as arguments run those alone, and then each of them must start.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { metadataDrivers } from '../dist/stores/metadata/drivers.js';
import { vectorDrivers } from '../dist/stores/vector/drivers.js';
import { folderInMemory, root } from './ready.mjs';

const service = 'test/real/service.test.ts';
const services = {
  postgres: {
    variable: 'REAL_POSTGRES_URL',
    tests: [
      'test/stores/metadata/postgres.test.ts',
      'test/operations/forget/postgres.test.ts',
      'test/scenarios/postgres.test.ts',
      'test/app/migrate.test.ts',
      'test/app/processes.test.ts',
      'test/faults/database-away.test.ts',
    ],
  },
  mongodb: {
    variable: 'REAL_MONGODB_URL',
    tests: ['test/stores/metadata/mongodb.test.ts', 'test/scenarios/mongodb.test.ts'],
  },
  pgvector: { variable: 'REAL_PGVECTOR_URL', tests: ['test/stores/vector/pgvector.test.ts', service] },
  chromadb: { variable: 'REAL_CHROMADB_URL', tests: ['test/real/chromadb.test.ts', service] },
  redis: { variable: 'REAL_REDIS_URL', tests: ['test/real/redis.test.ts', service] },
  milvus: { variable: 'REAL_MILVUS_URL', tests: ['test/real/milvus.test.ts', service] },
  weaviate: { variable: 'REAL_WEAVIATE_URL', tests: ['test/real/weaviate.test.ts', service] },
  elasticsearch: { variable: 'REAL_ELASTICSEARCH_URL', tests: ['test/real/elasticsearch.test.ts', service] },
  opensearch: { variable: 'REAL_OPENSEARCH_URL', tests: ['test/real/opensearch.test.ts', service] },
};
const points = '10000';
const reportFile = join(root, 'docs', 'conformance.json');

const given = process.argv.slice(2);
const unknown = given.filter((argument) => argument !== '--record' && !(argument in services));
if (unknown.length > 0) throw new Error(`no such server: ${unknown.join(', ')}`);
const names = given.filter((argument) => argument in services);
const wanted = names.length > 0 ? names : Object.keys(services);
installClients(wanted);
const results = wanted.map(prove);
for (const { provider, server, passed, failed, seconds, reason } of results) {
  const took = seconds && `${seconds.start} s to have it and ${seconds.suite} s for the suite`;
  const outcome = reason ?? `${passed} passed, ${failed} failed on ${server}; ${took}`;
  console.log(`${provider}: ${outcome}`);
}
if (given.includes('--record')) record(results);
// A server that cannot be had here is told; it is a failure where it was asked for by name.
const missing = results.some(({ provider, reason }) => reason !== undefined && names.includes(provider));
process.exitCode = missing || results.some(({ failed }) => failed > 0) ? 1 : 0;

/** The clients that a plain installation leaves out, all in one go: npm would remove those of an earlier one. */
function installClients(providers) {
  const needed = providers.map((name) => ({ ...vectorDrivers, ...metadataDrivers })[name].needs);
  const packages = needed.filter((need) => !isInstalled(need.package)).map((need) => `${need.package}@${need.range}`);
  if (packages.length === 0) return;
  const all = ['chromadb', 'milvus', 'weaviate'].map((name) => vectorDrivers[name].needs);
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  run('npm', [...args, ...all.map((need) => `${need.package}@${need.range}`)]);
}

function isInstalled(name) {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}

function prove(provider) {
  const begin = Date.now();
  const script = join(root, 'scripts', 'services', `${provider}.sh`);
  const { variable, tests } = services[provider];
  const up = spawnSync(script, ['up'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], timeout: 600_000 });
  const [address, ...version] = (up.stdout ?? '').trim().split('\n').at(-1).split(' ');
  if (up.status !== 0 || address === '') {
    spawnSync(script, ['down'], { stdio: 'inherit' });
    return { provider, failed: 0, reason: 'its server could not be started here' };
  }
  const started = Date.now();
  const output = join(tmpdir(), `threadkeep-${provider}-${process.pid}.json`);
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const flags = ['--testTimeout=180000', '--reporter=default', '--reporter=json', `--outputFile.json=${output}`];
  // Waiting for the disk is left to the server under test.
  const memory = folderInMemory();
  const folder = memory === undefined ? {} : { TMPDIR: memory };
  spawnSync(process.execPath, [vitest, 'run', ...tests, ...flags], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...folder, [variable]: address, CONFORMANCE_POINTS: points },
  });
  if (memory !== undefined) rmSync(memory, { recursive: true, force: true });
  spawnSync(script, ['down'], { stdio: 'inherit' });
  const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(readFileSync(output, 'utf8'));
  const seconds = { start: secondsFrom(begin, started), suite: secondsFrom(started, Date.now()) };
  return { provider, server: version.join(' '), passed, failed, seconds };
}

function secondsFrom(begin, end) {
  return Math.round((end - begin) / 1000);
}

function record(proven) {
  const before = JSON.parse(readFileSync(reportFile, 'utf8'));
  const date = new Date().toISOString().slice(0, 10);
  for (const { provider, server, passed, failed } of proven) {
    if (server === undefined || failed > 0) continue;
    before[provider] = { server, passed, ...(provider in vectorDrivers ? { points: Number(points) } : {}), date };
  }
  writeFileSync(reportFile, `${JSON.stringify(before, null, 2)}\n`);
}

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
