import { describe, expect, it } from 'vitest';
import { createBreaker, isDown } from '../../src/resilience/breaker.js';
import { createGuard, type GuardOptions } from '../../src/resilience/guard.js';
import { refusalOf } from '../support/failure.js';

const soonEnough = { withinMs: 10_000, again: true };
const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
const wrong = Object.assign(new Error('a value was refused'), { code: '22P02' });

function aGuard(options: Partial<GuardOptions> = {}) {
  const pauses: number[] = [];
  const troubles: string[] = [];
  let now = 0;
  const breaker = createBreaker({ failures: 3, pauseMs: 5_000, now: () => now });
  const guard = createGuard({
    dependency: 'vectors',
    breaker,
    retries: 2,
    isDown,
    onTrouble: (trouble) => troubles.push(trouble),
    wait: async (milliseconds) => {
      pauses.push(milliseconds);
    },
    random: () => 0.5,
    ...options,
  });
  const pass = (milliseconds: number): void => {
    now += milliseconds;
  };
  return { guard, pauses, troubles, pass };
}

/** Fails so often, then answers. */
function failing(times: number, error: Error) {
  const calls = { made: 0 };
  const work = async (): Promise<string> => {
    calls.made += 1;
    if (calls.made <= times) throw error;
    return 'answer';
  };
  return { work, calls };
}

describe('a guard', () => {
  it('repeats what may be repeated, with growing pauses', async () => {
    const { guard, pauses } = aGuard();
    const { work, calls } = failing(2, refused);
    expect(await guard.run(work, soonEnough)).toBe('answer');
    expect([calls.made, pauses]).toEqual([3, [50, 100]]);
  });

  it('repeats neither a write nor what the service refused', async () => {
    const { guard } = aGuard();
    const write = failing(1, refused);
    await expect(guard.run(write.work, { ...soonEnough, again: false })).rejects.toBe(refused);
    const question = failing(1, wrong);
    await expect(guard.run(question.work, soonEnough)).rejects.toBe(wrong);
    expect([write.calls.made, question.calls.made]).toEqual([1, 1]);
  });

  it('leaves a service alone that keeps failing, and comes back to it', async () => {
    const { guard, troubles, pass } = aGuard({ retries: 0 });
    const { work, calls } = failing(3, refused);
    for (let call = 0; call < 3; call++) await expect(guard.run(work, soonEnough)).rejects.toBe(refused);
    expect(await refusalOf(guard.run(work, soonEnough))).toMatchObject({
      code: 'vector_unavailable',
      fields: { retry_after: '5' },
    });
    expect(guard.state()).toEqual({ circuit: 'open', failures: 3, unanswered: 0, retry_in_ms: 5_000 });
    expect([calls.made, troubles]).toEqual([3, ['error', 'error', 'error', 'refused']]);
    pass(5_000);
    expect(await guard.run(work, soonEnough)).toBe('answer');
    expect(guard.state()).toEqual({ circuit: 'closed', failures: 0, unanswered: 0 });
  });

  it('is not opened by rejections, however many', async () => {
    const { guard } = aGuard();
    const { work } = failing(20, wrong);
    for (let call = 0; call < 20; call++) await expect(guard.run(work, soonEnough)).rejects.toBe(wrong);
    expect(guard.state().circuit).toBe('closed');
  });

  it('ends a call that takes too long, and knows of it until it is over', async () => {
    const { guard, troubles } = aGuard();
    let end = (): void => {};
    const work = () =>
      new Promise<void>((resolve) => {
        end = resolve;
      });
    expect(await refusalOf(guard.run(work, { withinMs: 5, again: true }))).toMatchObject({
      code: 'vector_unavailable',
      message: 'The vector store did not answer within 5 ms. Try again.',
    });
    expect([guard.state().unanswered, troubles]).toEqual([1, ['timeout']]);
    end();
    await expect.poll(() => guard.state().unanswered).toBe(0);
  });

  it('does not write beside a write that was given up and is not over', async () => {
    const { guard } = aGuard({ dependency: 'vectors' });
    let end = (): void => {};
    const stalled = () =>
      new Promise<void>((resolve) => {
        end = resolve;
      });
    const alone = { withinMs: 5, again: false, alone: true };
    expect((await refusalOf(guard.run(stalled, alone))).message).toContain('did not answer');
    expect((await refusalOf(guard.run(async () => {}, alone))).message).toContain('paused for a moment');
    expect(await guard.run(async () => 'answer', soonEnough)).toBe('answer');
    end();
    await expect.poll(() => guard.state().unanswered).toBe(0);
    await guard.run(async () => {}, alone);
  });

  it('sends nothing more after 64 calls without an answer', async () => {
    const guard = createGuard({ dependency: 'metadata', retries: 0, isDown });
    let made = 0;
    const ends: (() => void)[] = [];
    const work = () => {
      made += 1;
      return new Promise<void>((resolve) => ends.push(resolve));
    };
    const call = () => guard.run(work, { withinMs: 5, again: false }).catch((error: Error) => error.message);
    await Promise.all(Array.from({ length: 64 }, call));
    expect(await Promise.all([call(), call()])).toEqual(Array(2).fill(expect.stringContaining('paused for a moment')));
    expect([made, guard.state()]).toEqual([64, { circuit: 'closed', failures: 64, unanswered: 64 }]);
    for (const end of ends) end();
    await expect.poll(() => guard.state().unanswered).toBe(0);
    expect(await guard.run(async () => 'answer', soonEnough)).toBe('answer');
  });
});

describe('a guard without a circuit', () => {
  it('counts failures in a row', async () => {
    const guard = createGuard({ dependency: 'metadata', retries: 0, isDown });
    const { work } = failing(2, refused);
    for (const failures of [1, 2]) {
      await expect(guard.run(work, soonEnough)).rejects.toBe(refused);
      expect(guard.state()).toEqual({ circuit: 'closed', failures, unanswered: 0 });
    }
    await guard.run(work, soonEnough);
    expect(guard.state().failures).toBe(0);
  });
});

describe('what counts as down', () => {
  const error = (fields: object, name = 'Error') => Object.assign(new Error('x'), { name }, fields);
  it.each<[string, unknown, boolean]>([
    ['a refused connection', error({ code: 'ECONNREFUSED' }), true],
    [
      'a broken one inside a failed fetch',
      new TypeError('fetch failed', { cause: error({ code: 'ECONNRESET' }) }),
      true,
    ],
    ['a client that lost its connection and has no code for it', error({}), true],
    ['PostgreSQL shutting down', error({ code: '57P01' }), true],
    ['too many connections', error({ code: '53300' }), true],
    ['a value that PostgreSQL refuses', error({ code: '22P02' }), false],
    ['a missing table', error({ code: '42P01' }), false],
    ['HTTP 503', error({ status: 503 }), true],
    ['HTTP 429 of a search cluster', error({ meta: { statusCode: 429 } }), true],
    ['HTTP 400', error({ status: 400 }), false],
    ['gRPC unavailable', error({ code: 14 }), true],
    ['gRPC invalid argument', error({ code: 3 }), false],
    ['MongoDB out of reach', error({}, 'MongoServerSelectionError'), true],
    ['MongoDB refusing a document', error({ code: 121 }, 'MongoServerError'), false],
    ['something that is no error', 'x', true],
  ])('%s', (_, given, expected) => {
    expect(isDown(given)).toBe(expected);
  });
});
