/** One of the processes of replay.mjs: takes every so manieth epoch of the recording. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkStates } from './check.mjs';
import { createJudge } from './judge.mjs';
import { readRecords } from './recording.mjs';
import { databasePath } from './replay.mjs';

process.once('message', async ({ folder, index, workers, ...options }) => {
  const { digests, required } = JSON.parse(readFileSync(join(folder, 'history.json'), 'utf8'));
  const result = await checkStates({
    records: readRecords(readFileSync(join(folder, 'recording'))),
    history: { digests: new Map(digests), required },
    judge: createJudge({ folder: join(folder, `worker-${index}`), database: databasePath }),
    mine: (epoch) => epoch % workers === index,
    ...options,
  });
  process.send(result, () => process.disconnect());
});
