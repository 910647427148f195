// `npm run eval`: how well search finds what was meant, measured over HTTP on labelled suites, beside plain BM25.
//   npm run eval -- --data FOLDER [--suite NAME …] [--json FILE] [--previous FILE] [--misses FILE] [--top-k 10]
//                   [--writers 8] [--set providers.embedding_model=NAME …]
// docs/retrieval.md says what the numbers mean.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeReady, root } from './ready.mjs';

makeReady();
const { runSuite } = await import('../eval/run-suite.mjs');
const { parseSetting, startService } = await import('../eval/service.mjs');
const { readSuite, suitesIn } = await import('../eval/suite.mjs');
const { tableOf } = await import('../eval/table.mjs');

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: join(root, 'eval', 'suites') },
    suite: { type: 'string', multiple: true, default: [] },
    json: { type: 'string' },
    previous: { type: 'string' },
    misses: { type: 'string' },
    'top-k': { type: 'string', default: '10' },
    writers: { type: 'string', default: '8' },
    set: { type: 'string', multiple: true, default: [] },
  },
});
const settings = values.set.map(parseSetting);
const options = { topK: Number(values['top-k']), writers: Number(values.writers) };
const previous = values.previous === undefined ? [] : JSON.parse(readFileSync(values.previous, 'utf8')).suites;

const suites = [];
const misses = [];
for (const file of suitesIn(values.data, values.suite)) {
  const measured = await measure(readSuite(file));
  suites.push(measured.report);
  misses.push(...measured.misses);
  console.log(
    `\n${tableOf(
      measured.report,
      previous.find(({ suite }) => suite === measured.report.suite),
    )}`,
  );
}
if (values.json) {
  const run = { at: new Date().toISOString(), settings: Object.fromEntries(settings), suites };
  writeFileSync(values.json, `${JSON.stringify(run, null, 2)}\n`);
}
if (values.misses) writeFileSync(values.misses, misses.map((miss) => `${JSON.stringify(miss)}\n`).join(''));

async function measure(suite) {
  const folder = mkdtempSync(join(tmpdir(), 'threadkeep-eval-'));
  try {
    const service = await startService(folder, settings);
    try {
      return await runSuite(service, suite, options);
    } finally {
      await service.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
