import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Distance, VectorDriver } from '../../src/stores/vector/contract.js';
import { describeVectorStore, type VectorSubject } from '../conformance/vector-store.js';
import type { Wire } from '../fakes/wire.js';

interface Wired<Settings> {
  driver: VectorDriver<Settings>;
  start: () => Promise<Wire>;
  /** The settings of one collection of its own, by a name that no other case has. */
  settings: (wire: Wire, name: string) => Settings;
  /** A stand-in for each case, where a store has but one collection. */
  isolated?: boolean;
  distance?: Distance;
  distances?: readonly Distance[];
  skip?: VectorSubject['skip'];
  only?: RegExp;
}

/** The whole contract on a driver whose service is a stand-in of our own, which must have had nothing to complain about. */
export function describeWiredStore<Settings>(title: string, wired: Wired<Settings>): void {
  const { driver, start, settings, skip, distance = 'cosine' } = wired;
  const shape = { dimension: 8, distance };
  const wires: Wire[] = [];

  beforeAll(async () => {
    wires.push(await start());
  });

  afterAll(async () => {
    for (const wire of wires) await wire.stop();
    expect(wires.flatMap((wire) => wire.complaints)).toEqual([]);
  });

  describeVectorStore(title, {
    open: async () => {
      if (wired.isolated) wires.push(await start());
      const wire = wires.at(-1);
      if (wire === undefined) throw new Error('There is no stand-in.');
      const block = settings(wire, `c${randomUUID().replaceAll('-', '')}`);
      const make = () => driver.create({ settings: block, path: '' });
      const store = make();
      await store.open(shape);
      return { store, reopen: async () => make(), shape, failSoon: wire.failSoon };
    },
    distances: wired.distances ?? driver.distances,
    persistent: driver.persistent,
    ...(skip && { skip }),
    ...(wired.only && { only: wired.only }),
  });
}
