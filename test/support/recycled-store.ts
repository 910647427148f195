import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { MetadataStore, OpenedMetadata, Table } from '../../src/stores/metadata/contract.js';
import { sqlite } from '../../src/stores/metadata/drivers/sqlite/sqlite.js';

/** An open SQLite store whose tables are empty. */
interface Recycled {
  store: MetadataStore;
  opened: OpenedMetadata;
  empty(): void;
}

const idle: Recycled[] = [];
let folder: string | undefined;
let stores = 0;

/**
 * A SQLite store that is emptied and used again after it is closed: starting its two threads and creating its tables takes
 * most of the time of starting a service. Its file is not in the service's folder.
 */
export function recycledStore(): MetadataStore {
  const underWay = new Set<Promise<unknown>>();
  let taken: Recycled | undefined;
  let closing: Promise<void> | undefined;

  async function use<Result>(work: (store: MetadataStore) => Promise<Result>): Promise<Result> {
    if (closing !== undefined) throw new Error('the metadata store is closed');
    if (taken === undefined) throw new Error('the metadata store is not open');
    const working = work(taken.store);
    underWay.add(working);
    try {
      return await working;
    } finally {
      underWay.delete(working);
    }
  }

  async function giveBack(): Promise<void> {
    await Promise.allSettled(underWay);
    if (taken === undefined) return;
    taken.empty();
    idle.push(taken);
  }

  return {
    async open(tables) {
      taken = idle.pop() ?? (await create(tables));
      return taken.opened;
    },
    write: (changes) => use((store) => store.write(changes)),
    find: (table, query) => use((store) => store.find(table, query)),
    count: (table, where) => use((store) => store.count(table, where)),
    searchText: (table, query) => use(async (store) => (await store.searchText?.(table, query)) ?? []),
    snapshot: () => use((store) => store.snapshot()),
    scrub: () => use(async (store) => store.scrub?.()),
    check: () => use(async (store) => store.check?.()),
    close() {
      closing ??= giveBack();
      return closing;
    },
  };
}

async function create(tables: readonly Table[]): Promise<Recycled> {
  folder ??= makeFolder();
  const path = join(folder, `${++stores}`, 'metadata.sqlite3');
  const store = sqlite.create({ settings: {}, path });
  const opened = await store.open(tables);
  // Without prepared statements, which the binding ends only when they are collected.
  const database = new DatabaseSync(path);
  const statements = tables.flatMap(({ name, terms }) => [
    `DELETE FROM "${name}"`,
    ...(terms === undefined ? [] : [`INSERT INTO "${name}_terms" ("${name}_terms") VALUES ('delete-all')`]),
  ]);
  const script = ['BEGIN IMMEDIATE', ...statements, 'COMMIT'].join(';');
  return { store, opened, empty: () => database.exec(script) };
}

function makeFolder(): string {
  const made = mkdtempSync(join(tmpdir(), 'threadkeep-stores-'));
  process.on('exit', () => rmSync(made, { recursive: true, force: true }));
  return made;
}
