import { describe, expect, it } from 'vitest';
import { localPrincipal } from '../../src/auth/access.js';
import { operations } from '../../src/operations/table.js';
import { turns } from '../support/conversation.js';
import { aService } from '../support/service.js';

/** How often others get a turn while something runs. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  let running = true;
  const next = (): void => {
    count += 1;
    if (running) setImmediate(next);
  };
  setImmediate(next);
  await work();
  running = false;
  return count;
}

describe('a large conversation', () => {
  const texts = Array.from({ length: 3_000 }, (_, index) => `I like thing${index}. I live in City${index}.`);
  const payload = { source: 'chatgpt', messages: turns(...texts) };

  it('lets others run while it is prepared', async () => {
    const { service } = await aService();
    const call = { principal: localPrincipal, defaultSource: 'unknown' };
    const validated = operations.validate.execute.bind(operations.validate);
    expect(await turnsDuring(() => validated(service, call, payload))).toBeGreaterThan(5);
  });
});
