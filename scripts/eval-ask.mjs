// `npm run eval:ask`: does ask answer what the memory holds, and does it say so when the memory does not?
//   npm run eval:ask -- --data FOLDER [--suite NAME …] [--json FILE] [--rows FILE] [--top-k 5] [--writers 8]
//                       [--set providers.embedding_model=NAME …]
// docs/ask.md says what the numbers mean.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeReady, root } from './ready.mjs';

makeReady();
const { roundsOf } = await import('../eval/ask-sets.mjs');
const { runAsk } = await import('../eval/run-ask.mjs');
const { parseSetting, startService } = await import('../eval/service.mjs');
const { readSuite, suitesIn } = await import('../eval/suite.mjs');

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: join(root, 'eval', 'suites') },
    suite: { type: 'string', multiple: true, default: [] },
    json: { type: 'string' },
    rows: { type: 'string' },
    'top-k': { type: 'string', default: '5' },
    writers: { type: 'string', default: '8' },
    set: { type: 'string', multiple: true, default: [] },
  },
});
const settings = values.set.map(parseSetting);
const options = { topK: Number(values['top-k']), writers: Number(values.writers) };

const suites = [];
const rows = [];
for (const file of suitesIn(values.data, values.suite)) {
  const suite = readSuite(file);
  const measured = await runAsk(openService, suite, roundsOf(suite), options);
  suites.push(measured.report);
  rows.push(...measured.rows);
  console.log(`\n${measured.report.suite}, p50 ${measured.report.ask.p50_ms} ms, p95 ${measured.report.ask.p95_ms} ms`);
  for (const [set, kinds] of Object.entries(measured.report.sets)) {
    console.log(set);
    console.table(kinds);
  }
}
if (values.json) writeFileSync(values.json, `${JSON.stringify({ at: new Date().toISOString(), suites }, null, 2)}\n`);
if (values.rows) writeFileSync(values.rows, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));

async function openService() {
  const folder = mkdtempSync(join(tmpdir(), 'threadkeep-eval-'));
  const service = await startService(folder, settings);
  return {
    ...service,
    async stop() {
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
