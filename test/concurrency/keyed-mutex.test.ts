import { describe, expect, it } from 'vitest';
import { createKeyedMutex } from '../../src/concurrency/locks.js';

describe('a keyed mutex', () => {
  it('runs the work of one key in the order of arrival, one at a time', async () => {
    const withLock = createKeyedMutex();
    const events: string[] = [];
    const work = (name: string) => async () => {
      events.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      events.push(`${name} ends`);
      return name;
    };
    const results = await Promise.all([
      withLock('k', work('one')),
      withLock('k', work('two')),
      withLock('k', work('three')),
    ]);
    expect(results).toEqual(['one', 'two', 'three']);
    expect(events).toEqual(['one begins', 'one ends', 'two begins', 'two ends', 'three begins', 'three ends']);
  });

  it('does not let one key wait for another', async () => {
    const withLock = createKeyedMutex();
    let finish = (): void => {};
    const slow = withLock('slow', () => new Promise<void>((resolve) => (finish = resolve)));
    expect(await withLock('fast', async () => 'done')).toBe('done');
    finish();
    await slow;
  });

  it('continues after a failure, which only its own caller sees', async () => {
    const withLock = createKeyedMutex();
    const failing = withLock('k', async () => {
      throw new Error('mine');
    });
    const next = withLock('k', async () => 'fine');
    await expect(failing).rejects.toThrow('mine');
    expect(await next).toBe('fine');
  });
});
