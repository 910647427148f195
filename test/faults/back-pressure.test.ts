import { expect, it, onTestFinished } from 'vitest';
import type { ConfigInput } from '../../src/config/schema.js';
import { aNote, invented } from '../support/conversation.js';
import { createFaults, type FaultRule } from '../support/faults/faults.mjs';
import { soon } from '../support/patience.js';
import { aService } from '../support/service.js';

const clients = 60;
const turns = 8;
const room = 12;

/** Many clients who do not give up, against a store that does not answer. */
async function besieged(fault: FaultRule, overrides: ConfigInput) {
  const faults = createFaults();
  const service = await aService(
    { ...overrides, limits: { max_concurrent_requests: room }, storage: { timeout_ms: 1_000, ...overrides.storage } },
    { around: faults.around },
  );
  onTestFinished(() => faults.clear());
  await service.insert(aNote(invented(0)));
  faults.set(fault);
  const statuses = new Map<number, number>();
  const waits: (string | null)[] = [];
  const insist = async (client: number): Promise<void> => {
    for (let turn = 0; turn < turns; turn++) {
      const note = aNote(`${invented(client * 100 + turn, 6)} c${client}`);
      const { status, headers } =
        client % 2 === 0
          ? await service.request('/memory/insert', note)
          : await service.request('/memory/search', { query: invented(client, 3) });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status !== 200) waits.push(headers.get('retry-after'));
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, client) => insist(client)));
  return { service, faults, statuses, waits };
}

it('a hanging metadata store gets a bounded number of calls, and every caller is told when to retry', async () => {
  const hanging: FaultRule = { on: ['metadata.write', 'metadata.find', 'metadata.searchText'], fault: 'hang' };
  const { service, faults, statuses, waits } = await besieged(hanging, {});
  expect([...statuses.keys()].sort()).toEqual([429, 503]);
  expect([...statuses.values()].reduce((sum, each) => sum + each)).toBe(clients * turns);
  expect(waits.filter((wait) => wait === null || !/^\d+$/.test(wait))).toEqual([]);
  // What was given up and what is under way: neither grows with the number of clients or their patience.
  expect(faults.hanging()).toBeLessThanOrEqual(64 + room * 8);
  faults.clear();
  await expect.poll(async () => (await service.request('/memory/insert', aNote(invented(7)))).status, soon).toBe(200);
  expect(service.runtime.dependencies.state().metadata).toEqual({ circuit: 'closed', failures: 0, unanswered: 0 });
});

it('a vector store that hangs costs searches their time-out and inserts nothing', async () => {
  const { service, faults, statuses } = await besieged(
    { on: ['vectors.upsert', 'vectors.search'], fault: 'hang' },
    { providers: { vector_db: 'lancedb' }, storage: { timeout_ms: 1_500 } },
  );
  expect([...statuses.keys()].sort()).toEqual([200, 429, 503]);
  expect(faults.hanging()).toBeLessThanOrEqual(64 + room * 2);
  faults.clear();
  const { records } = service.service;
  await expect.poll(() => records.chunks.countInState('pending'), soon).toBe(0);
  expect(await service.vectorRows()).toBe(await records.chunks.countPoints());
});
