import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MetadataStore, Table } from '../../../src/stores/metadata/contract.js';
import { sqlite } from '../../../src/stores/metadata/drivers/sqlite/sqlite.js';

const notes: Table = { name: 'notes', columns: { text: { type: 'text' } }, terms: 'terms' };
const script = fileURLToPath(new URL('./sqlite-child.mjs', import.meta.url));
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'metadata-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

describe('sqlite shared by processes', () => {
  it('lets processes create one database at once and write to it without losing a row', async () => {
    const path = join(folder, 'shared', 'metadata.sqlite3');
    const children = ['a', 'b', 'c'].map((prefix) => startChild(path, prefix, 60));
    const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]));
    expect(codes).toEqual([0, 0, 0]);
    const store = await openStore(path);
    expect(await store.count('notes')).toBe(180);
    expect(await store.searchText?.('notes', { terms: ['word'], limit: 500 })).toHaveLength(180);
    await store.close();
  });

  it('keeps every acknowledged row when the writing process is killed', async () => {
    const path = join(folder, 'metadata.sqlite3');
    const child = startChild(path, 'k', 0);
    const acknowledged: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      acknowledged.push(line);
      if (acknowledged.length === 150) child.kill('SIGKILL');
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(150);
    const store = await openStore(path);
    const kept = new Set((await store.find('notes', { fields: [] })).map(({ id }) => id));
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
    const searchable = (await store.searchText?.('notes', { terms: ['word'], limit: 10_000 })) ?? [];
    expect(new Set(searchable.map(({ id }) => id))).toEqual(kept);
    await store.write([{ kind: 'remove', table: 'notes', ids: [...kept] }]);
    expect(await store.count('notes')).toBe(0);
    await store.close();
  });
});

function startChild(path: string, prefix: string, rows: number): ChildProcess & { stdout: NodeJS.ReadableStream } {
  const child = spawn(process.execPath, [script, path, prefix, String(rows)], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (rows > 0) child.stdout.resume();
  return child;
}

async function openStore(path: string): Promise<MetadataStore> {
  const store = sqlite.create({ settings: {}, path });
  await store.open([notes]);
  return store;
}
