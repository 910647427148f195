import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { record, whyNoRecording } from './record.mjs';
import { readRecords, recordBytes, unpack } from './recording.mjs';
import { type Replayed, replay } from './replay.mjs';

/** `npm run test:crash` judges more than a hundred thousand states; these are some of each epoch of a run. */
const committed = unpack(readFileSync(new URL('./recording.br', import.meta.url)));
const some = { workers: 2, chances: 1, seed: 20261115 };
const missing = whyNoRecording();
vi.setConfig({ testTimeout: 300_000 });

function expectNothingLost(result: Replayed): void {
  expect({ lost: result.lost.slice(0, 5), corrupt: result.corrupt.slice(0, 5) }).toEqual({ lost: [], corrupt: [] });
}

test('recovers every acknowledged operation of the recording from kills and power cuts', async () => {
  const result = await replay(committed, { ...some, share: 0.06 });
  expectNothingLost(result);
  expect(result.kill).toBeGreaterThan(100);
  expect(result.power).toBeGreaterThan(300);
  expect(Object.keys(result.operations).sort()).toEqual([
    'append',
    'approve',
    'forget',
    'import',
    'insert',
    'insert for review',
    'reject',
    'supersede',
    'token',
    'update',
    'user',
  ]);
});

test.skipIf(missing !== undefined)('recovers every acknowledged operation of this very build', async () => {
  const fresh = await record(mkdtempSync(join(tmpdir(), 'threadkeep-recording-')), { seed: 2, rounds: 1 });
  const result = await replay(fresh, { ...some, share: 0.06 });
  expectNothingLost(result);
  expect(result.power).toBeGreaterThan(100);
});

test('notices a store that answers before its log is synced', async () => {
  const unsynced = readRecords(committed).filter(({ kind, name }) => kind !== 'sync' || !name.endsWith('-wal'));
  const result = await replay(Buffer.concat(unsynced.map(recordBytes)), { ...some, chances: 0, share: 0.01 });
  expect(result.lost.length).toBeGreaterThan(0);
});

test('notices a folder whose name was never synced', async () => {
  const unsynced = readRecords(committed).filter(({ kind, name }) => kind !== 'sync-folder' || name !== '/');
  const result = await replay(Buffer.concat(unsynced.map(recordBytes)), { ...some, chances: 0, share: 0.01 });
  expect(result.lost.length).toBeGreaterThan(0);
});
