import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

const modules = ['indexing/vector-index', 'stores/vector/drivers/memory'].map(
  (path) => new URL(`../../dist/${path}.js`, import.meta.url).href,
);

/** Nothing but a pause that keeps no process alive stands between the write and its end. */
const program = `
  import { setTimeout as delay } from 'node:timers/promises';
  const [{ createVectorIndex }, { memory }] = await Promise.all(${JSON.stringify(modules)}.map((url) => import(url)));
  const [store, tail] = [memory.create(), memory.create()];
  for (const each of [store, tail]) await each.open({ dimension: 2, distance: 'cosine' });
  const wait = (milliseconds) => delay(milliseconds, undefined, { ref: false });
  const index = createVectorIndex({ store, tail, wait, onWritten: async () => [], observer: { log() {} } });
  await index.add([{ id: 'c', scope: 's', conversationId: 'v', vectors: [Float32Array.of(1, 0)] }], { fresh: true });
  await index.settled();
  console.log(await store.count());
`;

it('a process that waits for the last write does not end before it', () => {
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  expect({ stdout, status }).toEqual({ stdout: '1\n', status: 0 });
});
