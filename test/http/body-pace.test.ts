import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { atPace } from '../../src/http/admission.js';
import { refusalOf } from '../support/failure.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A request whose body the test lets arrive; `answer` ends its handler. */
function aRequest({ complete = false } = {}) {
  const incoming = { complete, readableLength: 0, socket: { bytesRead: 500 } };
  const header = vi.fn();
  let answer: (response: Response) => void = () => {};
  const handled = atPace({ env: { incoming }, header }, 10_000, () => new Promise((resolve) => (answer = resolve)));
  return { incoming, header, handled, answer: () => answer(new Response('done')) };
}

const tenSeconds = (): Promise<unknown> => vi.advanceTimersByTimeAsync(10_001);

describe('a body without a token', () => {
  it('is given up when it stalls, and its connection is closed', async () => {
    const { incoming, header, handled } = aRequest();
    const refused = refusalOf(handled);
    incoming.socket.bytesRead += 1;
    await tenSeconds();
    expect((await refused).message).toBe('The body stalled for 10 seconds; send it again');
    expect(header).toHaveBeenCalledWith('connection', 'close');
  });

  it('may take long if it keeps coming, and is given up when it stops', async () => {
    const { incoming, handled } = aRequest();
    const refused = refusalOf(handled);
    for (let round = 0; round < 20; round++) {
      incoming.socket.bytesRead += 100_000;
      await tenSeconds();
    }
    incoming.socket.bytesRead += 99_999;
    await tenSeconds();
    expect((await refused).code).toBe('invalid_input');
  });

  it('is not given up while the service has yet to read it', async () => {
    const { incoming, handled, answer } = aRequest();
    incoming.readableLength = 65_536;
    await tenSeconds();
    await tenSeconds();
    answer();
    expect(await (await handled).text()).toBe('done');
  });

  it.each([false, true])('may be processed for any time once it has arrived (at the start: %s)', async (complete) => {
    const { incoming, handled, answer } = aRequest({ complete });
    incoming.complete = true;
    for (let round = 0; round < 10; round++) await tenSeconds();
    answer();
    expect(await (await handled).text()).toBe('done');
    expect(vi.getTimerCount()).toBe(0);
  });
});
