import { expect, it, onTestFinished, vi } from 'vitest';
import { createFaults } from '../support/faults/faults.mjs';
import { startService } from '../support/service.js';
import { operations, prepare } from './operations.js';

const tenSeconds = 10_000;

it.each(['insert', 'append', 'approve'] as const)(
  'an %s that was written, and whose response was lost, is indexed without another request',
  async (name) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const faults = createFaults();
    const server = await startService(
      {
        providers: { vector_db: 'lancedb' },
        memory: { insert_policy: 'review_pending' },
        storage: { allow_trusted_appends: true },
      },
      { around: faults.around },
    );
    onTestFinished(() => server.close());
    const prepared = await prepare(server);
    faults.set({ on: 'metadata.write', fault: 'lost' });
    expect(await operations[name](server, prepared)).toMatchObject({ went: 'metadata_unavailable' });
    faults.clear();
    const { indexer, records } = server.service;
    expect(await records.chunks.countInState('pending')).toBeGreaterThan(0);
    // The first look leaves it to whoever may be at work on it.
    vi.advanceTimersByTime(tenSeconds);
    await indexer.settled();
    expect(await records.chunks.countInState('pending')).toBeGreaterThan(0);
    vi.advanceTimersByTime(tenSeconds);
    await indexer.settled();
    expect(await records.chunks.countInState('pending')).toBe(0);
  },
);
