import { describe, expect, it } from 'vitest';
import { createLimiter } from '../../src/embeddings/http.js';

const never = new AbortController().signal;

describe('createLimiter', () => {
  it('starts as many tasks as there are places, the others in their order', async () => {
    const limiter = createLimiter(2);
    const started: string[] = [];
    const gates = new Map<string, () => void>();
    const task = (name: string) => () => {
      started.push(name);
      return new Promise<string>((resolve) => gates.set(name, () => resolve(name)));
    };
    const results = ['a', 'b', 'c', 'd'].map((name) => limiter.run(task(name), never));
    await Promise.resolve();
    expect(started).toEqual(['a', 'b']);
    gates.get('b')?.();
    expect(await results[1]).toBe('b');
    expect(started).toEqual(['a', 'b', 'c']);
    gates.get('a')?.();
    gates.get('c')?.();
    await results[2];
    gates.get('d')?.();
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('gives the place of a failed task to the next', async () => {
    const limiter = createLimiter(1);
    const failing = limiter.run(() => Promise.reject(new Error('no')), never);
    const next = limiter.run(async () => 'done', never);
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('done');
  });

  it('forgets a task that is aborted while it waits and keeps its place for others', async () => {
    const limiter = createLimiter(1);
    let finish = () => {};
    const first = limiter.run(() => new Promise<void>((resolve) => (finish = resolve)), never);
    const controller = new AbortController();
    let hasRun = false;
    const second = limiter.run(async () => (hasRun = true), controller.signal);
    const third = limiter.run(async () => 'third', never);
    controller.abort(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    finish();
    await first;
    expect(await third).toBe('third');
    expect(hasRun).toBe(false);
  });
});
