import { describe, expect, it } from 'vitest';
import { localPrincipal } from '../../src/auth/access.js';
import { memoryStatuses } from '../../src/model/conversation.js';
import { operations } from '../../src/operations/table.js';
import { turns } from '../support/conversation.js';
import { gardenEssay } from '../support/essay.js';
import { aService } from '../support/service.js';
import { longestSlice } from '../support/slices.js';

/** How often the event loop runs other work meanwhile. */
async function passesDuring(work: () => Promise<unknown>): Promise<number> {
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
    expect(await passesDuring(() => validated(service, call, payload))).toBeGreaterThan(5);
  });

  it('is prepared no further when its client is gone', async () => {
    const { service, metrics } = await aService();
    const client = new AbortController();
    const call = { principal: localPrincipal, defaultSource: 'unknown', signal: client.signal };
    const inserting = operations.insert.execute(service, call, payload);
    setImmediate(() => client.abort());
    await expect(inserting).rejects.toMatchObject({ code: 'invalid_input' });
    const stages = metrics
      .snapshot()
      .histograms.flatMap(({ name, labels }) => (name === 'memory_ingestion_stage_duration_ms' ? [labels.stage] : []));
    // Metadata is read in steps already, so it ends before the text is normalised.
    expect(stages).toContain('coerce');
    expect(stages).not.toContain('enrich');
    expect(await service.records.conversations.countAll({ statuses: memoryStatuses })).toBe(0);
  });
});

describe('a conversation of 1 MB', () => {
  const essay = gardenEssay(850).slice(0, 5_000);
  const conversation = (round: number) => ({
    messages: turns(...Array.from({ length: 200 }, (_, index) => `${round} ${index} ${essay}`)),
  });

  it('never holds the event loop for 50 ms while it is prepared', async () => {
    const { service } = await aService();
    const call = { principal: localPrincipal, defaultSource: 'unknown' };
    const longest: number[] = [];
    // The first run compiles: what one run can do without is not ours.
    for (let round = 0; round < 10 && Math.min(...longest) >= 50; round++) {
      longest.push(await longestSlice(() => operations.validate.execute(service, call, conversation(round))));
    }
    expect(Math.min(...longest)).toBeLessThan(50);
  });
});
