import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openReader } from '../../src/reading/open.js';

const file = fileURLToPath(new URL('../../models/reader.bin', import.meta.url));
const window = { message: { speaker: 'user', text: 'finally moved to Leeds last weekend' } };

describe('the reader in its thread', () => {
  it('answers every request, also many at a time', async () => {
    const reader = openReader(file);
    onTestFinished(() => reader.close());
    const readings = await Promise.all(
      Array.from({ length: 5 }, () => reader.read('Where do I live?', [window, window])),
    );
    expect(readings.map(({ length }) => length)).toEqual([2, 2, 2, 2, 2]);
    expect(await reader.read('Where do I live?', [])).toEqual([]);
  });

  it('fails what waits when it is closed, and when the model cannot be read', async () => {
    const closed = openReader(file);
    const waiting = closed.read('Where?', [window]);
    await closed.close();
    await expect(waiting).rejects.toThrow('The reading model stopped');
    await expect(closed.read('Where?', [window])).rejects.toThrow('The reading model stopped');
    const missing = openReader(`${file}.missing`);
    onTestFinished(() => missing.close());
    await expect(missing.read('Where?', [window])).rejects.toThrow('The reading model stopped');
  });

  it('starts before the first request, which then finds it started, and can be closed unused', async () => {
    const started = once(process, 'worker') as Promise<[Worker]>;
    const reader = openReader(file);
    reader.prepare();
    await started;
    let others = 0;
    const count = (): void => {
      others += 1;
    };
    process.on('worker', count);
    onTestFinished(() => void process.off('worker', count));
    expect(await reader.read('Where do I live?', [window])).toHaveLength(1);
    expect(others).toBe(0);
    await reader.close();
    const unused = openReader(file);
    unused.prepare();
    await unused.close();
    await expect(unused.read('Where?', [window])).rejects.toThrow('The reading model stopped');
  });

  it('reads the same in one thread and in two, all windows or chosen ones', async () => {
    const texts = [
      'finally moved to Leeds last weekend',
      'the cat is asleep',
      'Leeds United lost again',
      'I ran 5 km',
      'tea',
    ];
    const windows = texts.map((text) => ({ message: { speaker: 'user', text } }));
    const [one, two] = [openReader(file, { threads: 1 }), openReader(file, { threads: 2 })];
    onTestFinished(async () => void (await Promise.all([one.close(), two.close()])));
    const question = 'Where do I live?';
    const readings = await one.read(question, windows);
    expect(await two.read(question, windows)).toEqual(readings);
    const ranked: (readonly number[])[] = [];
    for (const reader of [one, two]) {
      const chosen = await reader.readChosen(question, windows, (ranks) => {
        ranked.push(ranks);
        return [4, 0];
      });
      expect(chosen.map(({ rank }) => rank)).toEqual(ranked.at(-1));
      const expected = readings.map((reading, place) => (place === 0 || place === 4 ? reading : undefined));
      expect(chosen.map(({ reading }) => reading)).toEqual(expected);
    }
    expect(ranked[0]).toHaveLength(texts.length);
    expect(ranked[1]).toEqual(ranked[0]);
  });

  it('does not wait for a request that was given up', async () => {
    const reader = openReader(file);
    onTestFinished(() => reader.close());
    const signal = AbortSignal.abort(new Error('given up'));
    await expect(reader.read('Where?', [window], { signal })).rejects.toThrow('given up');
  });

  it('gives its memory back when it is idle, and reads again afterwards', async () => {
    const started: Worker[] = [];
    const see = (worker: Worker) => void started.push(worker);
    process.on('worker', see);
    onTestFinished(() => void process.off('worker', see));
    const reader = openReader(file, { threads: 1, idleMs: 20 });
    onTestFinished(() => reader.close());
    const first = await reader.read('Where do I live?', [window]);
    const [thread] = started;
    if (thread === undefined) throw new Error('no thread was started');
    await once(thread, 'exit');
    expect(await reader.read('Where do I live?', [window])).toEqual(first);
    expect(started).toHaveLength(2);
  });
});
