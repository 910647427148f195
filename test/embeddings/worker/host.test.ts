import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createEmbeddingWorker } from '../../../src/embeddings/worker/host.js';

function aWorker({ refuse = false, idleMs }: { refuse?: boolean; idleMs?: number } = {}) {
  const worker = createEmbeddingWorker<{ refuse: boolean }, { dimension: number }>({
    entry: new URL('./scripted-worker.mjs', import.meta.url),
    data: { refuse },
    portion: { texts: 2, characters: 1_000, charactersRead: 1_000 },
    ...(idleMs === undefined ? {} : { idleMs }),
  });
  onTestFinished(() => worker.close());
  return worker;
}

/** The scripted worker answers with the length of each text and the number of the portion it came in. */
const lengths = (vectors: Float32Array[]) => vectors.map(([length]) => length);
const turns = (vectors: Float32Array[]) => vectors.map(([, turn]) => turn);

describe('an embedding worker', () => {
  it('opens the model in its thread', async () => {
    expect(await aWorker().open()).toEqual({ dimension: 2 });
  });

  it('answers in the order of the texts, not of the work', async () => {
    expect(lengths(await aWorker().embed(['four', 'a', 'seventh', 'two', 'five!']))).toEqual([4, 1, 7, 3, 5]);
  });

  it('gives nothing for nothing', async () => {
    expect(await aWorker().embed([])).toEqual([]);
  });

  it('lets a short call in between the portions of a long one', async () => {
    const worker = aWorker();
    const long = worker.embed(Array.from({ length: 10 }, () => 'text'));
    const short = await worker.embed(['?']);
    expect(turns(short)).toEqual([1]);
    expect(new Set(turns(await long))).toEqual(new Set([0, 2, 3, 4, 5]));
  });

  it('rejects at once and drops pending work when the signal aborts', async () => {
    const worker = aWorker();
    await worker.open();
    const controller = new AbortController();
    const dropped = worker.embed(Array(1_000).fill('text'), { signal: controller.signal });
    const reason = new Error('the caller left');
    controller.abort(reason);
    await expect(dropped).rejects.toBe(reason);
    expect(turns(await worker.embed(['next']))[0]).toBeLessThan(3);
  });

  it('fails the call that went wrong and serves the next', async () => {
    const worker = aWorker();
    const failed = worker.embed(['fail']);
    const fine = worker.embed(['fine']);
    await expect(failed).rejects.toMatchObject({ code: 'embedding_unavailable', cause: 'Error: it was asked to' });
    expect(lengths(await fine)).toEqual([4]);
  });

  it('ends its thread when it is idle, and starts another for the next call', async () => {
    const started: Worker[] = [];
    const see = (worker: Worker) => void started.push(worker);
    process.on('worker', see);
    onTestFinished(() => void process.off('worker', see));
    const worker = aWorker({ idleMs: 20 });
    expect(lengths(await worker.embed(['four']))).toEqual([4]);
    const [thread] = started;
    if (thread === undefined) throw new Error('no thread was started');
    await once(thread, 'exit');
    expect(lengths(await worker.embed(['again']))).toEqual([5]);
    expect(started).toHaveLength(2);
  });

  it('starts another thread after one has died', async () => {
    const worker = aWorker();
    await expect(worker.embed(['die'])).rejects.toMatchObject({ code: 'embedding_unavailable' });
    expect(lengths(await worker.embed(['alive']))).toEqual([5]);
  });

  it('passes on why the model cannot be opened', async () => {
    const refusal = { name: 'StartupError', code: 'driver_unavailable', hint: 'Do something.' };
    await expect(aWorker({ refuse: true }).open()).rejects.toMatchObject(refusal);
    await expect(aWorker({ refuse: true }).embed(['text'])).rejects.toMatchObject(refusal);
  });

  it('refuses work after it was closed, and fails what was waiting', async () => {
    const worker = aWorker();
    await worker.open();
    const waiting = worker.embed(Array(1_000).fill('text'));
    await Promise.all([expect(waiting).rejects.toMatchObject({ code: 'embedding_unavailable' }), worker.close()]);
    await expect(worker.embed(['text'])).rejects.toMatchObject({ code: 'embedding_unavailable' });
    await worker.close();
  });
});
