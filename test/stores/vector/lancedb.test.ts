import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { lancedb } from '../../../src/stores/vector/lancedb.js';
import { describeVectorStore } from '../../conformance/vector-store.js';

const shape = { dimension: 8, distance: 'cosine' } as const;
const folders: string[] = [];

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

describeVectorStore('lancedb', {
  open: async () => {
    const path = await mkdtemp(join(tmpdir(), "threadkeep it's "));
    folders.push(path);
    const make = () => lancedb.create({ settings: {}, path });
    const store = make();
    await store.open(shape);
    return { store, reopen: async () => make(), shape };
  },
  distances: lancedb.distances,
  persistent: lancedb.persistent,
  skip: [
    {
      reason: 'a merge does not see what another adds at the same moment; the service writes one after the other',
      cases: ['keeps one row however many write the same one at once'],
    },
  ],
});
