// `npm run test:fuzz`: hostile input against every route, tool, parser and importer, and the log's privacy, at length.
// --runs N   how many requests and inputs in all (150,000 unless given: more than 100,000 of them are requests)
// --seed S   the same inputs again (any unless given; it is printed)
// --all      go on after a failure and tell the first of each kind, unshrunk
// Anything else goes to Vitest, such as test/fuzz/mcp.test.ts.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeReady, root } from './ready.mjs';

const { values, positionals } = parseArgs({
  options: { runs: { type: 'string' }, seed: { type: 'string' }, all: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const runs = whole('runs', values.runs ?? '150000');
const seed = whole('seed', values.seed ?? String(Math.floor(Math.random() * 1_000_000)));
makeReady();
console.log(`fuzz: ${runs} runs with --seed ${seed}`);
const started = Date.now();
const tests = positionals.length > 0 ? positionals : ['test/fuzz', 'test/observability/privacy.test.ts'];
const { status } = spawnSync(process.execPath, [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...tests], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    FUZZ_RUNS: String(runs),
    FUZZ_SEED: String(seed),
    ...(values.all ? { FUZZ_ALL: '1' } : {}),
  },
});
const seconds = Math.round((Date.now() - started) / 1_000);
console.log(`fuzz: ${status === 0 ? 'passed' : 'failed'} in ${seconds} s; again with --seed ${seed} --runs ${runs}`);
process.exit(status ?? 1);

function whole(name, text) {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  console.error(`--${name} takes a whole number`);
  process.exit(2);
}
