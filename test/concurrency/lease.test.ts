import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { electBackground, refuseWhileServed } from '../../src/concurrency/lease.js';
import { tables } from '../../src/model/tables.js';
import { leaseRecords } from '../../src/records/claims.js';
import { recordStore } from '../../src/records/store.js';
import type { MetadataStore } from '../../src/stores/metadata/contract.js';
import { sqlite } from '../../src/stores/metadata/drivers/sqlite/sqlite.js';
import { soon } from '../support/patience.js';

const quiet = { log() {}, count() {}, duration() {} };
const times = { renewal: 20, patience: 200 };

async function aStore(): Promise<MetadataStore> {
  const store = sqlite.create({ settings: {}, path: ':memory:' });
  await store.open(tables);
  onTestFinished(store.close);
  return store;
}

/** Each with a clock of its own that nobody else can read the time from. */
function aProcess(store: MetadataStore, name: string) {
  let renewals = 0;
  const lease = leaseRecords(recordStore(store), () => `${name}-${renewals++}`);
  const [onElected, onRenewed] = [vi.fn(), vi.fn()];
  const process = electBackground({ lease, observer: quiet, onElected, onRenewed, times });
  onTestFinished(process.stop);
  return { ...process, lease, onElected, onRenewed };
}

describe('the background work of several processes', () => {
  it('is done by one of them, which keeps it while it lives', async () => {
    const store = await aStore();
    const processes = ['one', 'two', 'three'].map((name) => aProcess(store, name));
    await expect.poll(() => processes.filter(({ isOurs }) => isOurs()).length, soon).toBe(1);
    const chosen = processes.find(({ isOurs }) => isOurs());
    await expect.poll(() => chosen?.onRenewed.mock.calls.length ?? 0, soon).toBeGreaterThan(15);
    expect(processes.map(({ onElected }) => onElected.mock.calls.length).sort()).toEqual([0, 0, 1]);
    expect(processes.filter(({ isOurs }) => isOurs())).toEqual([chosen]);
  });

  it('passes to another at once when its holder stops', async () => {
    const store = await aStore();
    const first = aProcess(store, 'first');
    await expect.poll(first.isOurs, soon).toBe(true);
    const second = aProcess(store, 'second');
    await first.stop();
    expect(first.isOurs()).toBe(false);
    await expect.poll(second.isOurs, soon).toBe(true);
  });

  it('passes on after a while when that one died', async () => {
    const store = await aStore();
    const dead = leaseRecords(recordStore(store), () => '2026-01-01T00:00:00.000Z');
    expect(await dead.take('somebody who is gone', undefined)).toBe(true);
    const next = aProcess(store, 'next');
    expect(next.isOurs()).toBe(false);
    await expect.poll(next.isOurs, soon).toBe(true);
    expect(next.onElected).toHaveBeenCalledTimes(1);
  });

  it('is lost to the process that took it in the meantime', async () => {
    const store = await aStore();
    const first = aProcess(store, 'first');
    await expect.poll(first.isOurs, soon).toBe(true);
    await store.write([
      { kind: 'patch', table: 'settings', ids: ['background_lease'], set: { value: { holder: 'x' }, updated_at: 'x' } },
    ]);
    await expect.poll(first.isOurs, soon).toBe(false);
  });

  it('keeps a rebuild away while a server runs, and only then', async () => {
    const store = await aStore();
    const lease = leaseRecords(recordStore(store), () => 'now');
    await refuseWhileServed(lease, times);
    const server = aProcess(store, 'server');
    await expect.poll(server.isOurs, soon).toBe(true);
    await expect(refuseWhileServed(lease, times)).rejects.toMatchObject({ code: 'data_in_use' });
    await server.stop();
    await refuseWhileServed(lease, times);
    await lease.take('somebody who is gone', undefined);
    await refuseWhileServed(lease, times);
  });
});
