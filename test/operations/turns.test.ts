import { describe, expect, it } from 'vitest';
import { createTurns } from '../../src/operations/turns.js';

describe('turns', () => {
  it('run the work of one key in the order of arrival, one at a time', async () => {
    const take = createTurns();
    const events: string[] = [];
    const work = (name: string) => async () => {
      events.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      events.push(`${name} ends`);
      return name;
    };
    const results = await Promise.all([take('k', work('one')), take('k', work('two')), take('k', work('three'))]);
    expect(results).toEqual(['one', 'two', 'three']);
    expect(events).toEqual(['one begins', 'one ends', 'two begins', 'two ends', 'three begins', 'three ends']);
  });

  it('do not let one key wait for another', async () => {
    const take = createTurns();
    let finish = (): void => {};
    const slow = take('slow', () => new Promise<void>((resolve) => (finish = resolve)));
    expect(await take('fast', async () => 'done')).toBe('done');
    finish();
    await slow;
  });

  it('go on after a failure, which only its own caller sees', async () => {
    const take = createTurns();
    const failing = take('k', async () => {
      throw new Error('mine');
    });
    const next = take('k', async () => 'fine');
    await expect(failing).rejects.toThrow('mine');
    expect(await next).toBe('fine');
  });
});
