import { randomUUID } from 'node:crypto';
import { describe } from 'vitest';
import type { Distance, VectorDriver } from '../../src/stores/vector/contract.js';
import { describeVectorStore, type VectorSubject } from '../conformance/vector-store.js';

interface Real<Settings> {
  driver: VectorDriver<Settings>;
  /** The environment variable with the address of a running server; without it nothing is tried. */
  variable: string;
  settings: (url: string, name: string) => Settings;
  distance?: Distance;
  distances?: readonly Distance[];
  skip?: VectorSubject['skip'];
}

/** The whole contract on a real server, where one was started (`scripts/services`). */
export function describeRealStore<Settings>(title: string, real: Real<Settings>): void {
  const { driver, variable, settings, skip, distance = 'cosine' } = real;
  const url = process.env[variable];
  const shape = { dimension: 8, distance };
  if (url === undefined) {
    describe.skip(`${title} (no ${variable})`, () => {});
    return;
  }
  describeVectorStore(title, {
    open: async () => {
      const block = settings(url, `c${randomUUID().replaceAll('-', '')}`);
      const make = () => driver.create({ settings: block, path: '' });
      const store = make();
      await store.open(shape);
      return { store, reopen: async () => make(), shape };
    },
    distances: real.distances ?? driver.distances,
    persistent: driver.persistent,
    ...(skip && { skip }),
  });
}
