import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { countRows, digestsOf, fill, removeOthers, rowsToCopy, type TableDigest } from '../backup/copy.js';
import { activeMetadataSettings } from '../config/active.js';
import type { Config } from '../config/schema.js';
import { MemoryError, StartupError } from '../model/errors.js';
import { tables as tableList } from '../model/tables.js';
import type { Observer } from '../observability/observer.js';
import { settingRecords } from '../records/open.js';
import { recordStore } from '../records/store.js';
import type { MetadataStore } from '../stores/metadata/contract.js';
import { lockData, type Migration, migrationMark } from './data-folder.js';
import { metadataPath, openMetadata } from './open-metadata.js';
import { openRuntime } from './open-runtime.js';

const tables = tableList;

export interface MigrationReport {
  status: 'ok';
  /** Row count and hash of each table, equal on both sides. */
  tables: Record<string, TableDigest>;
  vectors: { provider: string; rows: number; indexed_chunks: number };
}

interface MigrationRequest {
  from: Config;
  to: Config;
  observer: Observer;
  onProgress?: (progress: { done: number; total: number }) => void;
}

/**
 * Copies a whole installation into an empty pair of stores: every row as of one moment, verified with a hash per table;
 * vectors are recomputed from the text. An interrupted migration continues when it is run again.
 */
export async function migrate(request: MigrationRequest): Promise<MigrationReport> {
  const { from, to } = request;
  if (from.storage.dryRun || to.storage.dryRun) {
    throw new MemoryError('invalid_input', 'A dry run cannot migrate; set storage.dry_run: false in both files');
  }
  if (placeOf(from) === placeOf(to)) {
    throw new MemoryError('invalid_input', 'Both configurations name the same metadata store');
  }
  const { observer } = request;
  const within = <Result>(config: Config, run: (store: MetadataStore) => Promise<Result>) =>
    withStore({ config, observer }, run);
  const digests = await within(from, (source) => within(to, (target) => copyRows(source, target, request)));
  const vectors = await makeVectors(request);
  await within(to, (target) => settingsOf(target).remove(migrationMark));
  return { status: 'ok', tables: digests, vectors };
}

async function copyRows(
  source: MetadataStore,
  target: MetadataStore,
  { from, onProgress }: MigrationRequest,
): Promise<Record<string, TableDigest>> {
  const settings = settingsOf(target);
  const mark: Migration = { source: placeOf(from), stage: 'rows' };
  const found = (await settings.get(migrationMark)) as Migration | undefined;
  // From this stage on a server may have written to the target, so nothing is copied over it again.
  if (found?.source === mark.source && found.stage === 'vectors') return digestsOf(target, tables);
  await refuseUnlessOurs(target, found?.source === mark.source);
  await settings.set(migrationMark, mark);
  const snapshot = await source.snapshot();
  try {
    const total = await countRows(snapshot, tables);
    const onRows = (done: number): void => onProgress?.({ done, total });
    await fill(target, rowsToCopy(snapshot, target, { tables, onRows }));
    await removeOthers(snapshot, target, tables);
    const digests = await digestsOf(snapshot, tables);
    requireEqual(digests, await digestsOf(target, tables));
    await settings.set(migrationMark, { ...mark, stage: 'vectors' });
    return digests;
  } finally {
    await snapshot.close();
  }
}

function requireEqual(wanted: Record<string, TableDigest>, found: Record<string, TableDigest>): void {
  const differing = Object.keys(wanted).filter((name) => wanted[name]?.sha256 !== found[name]?.sha256);
  if (differing.length === 0) return;
  throw new MemoryError(
    'internal_error',
    `The copy differs from its source in ${differing.join(', ')}; run the migration again`,
  );
}

async function refuseUnlessOurs(target: MetadataStore, ours: boolean): Promise<void> {
  const remembered = tables.filter(({ name }) => name !== 'settings');
  if (ours || (await countRows(target, remembered)) === 0) return;
  throw new StartupError('data_in_use', 'The destination is not empty: a migration needs an empty store.', {
    hint: 'Name another database or paths.data_dir in the configuration given with --to.',
  });
}

async function makeVectors({ to, observer, onProgress }: MigrationRequest): Promise<MigrationReport['vectors']> {
  const runtime = await openRuntime({ config: to, observer, purpose: 'command' });
  const { indexer, records, vectors } = runtime.service;
  try {
    const total = await records.chunks.countInState('pending');
    indexer.poke();
    let done = false;
    const settled = indexer.settled().then(() => {
      done = true;
    });
    while (!done) {
      await Promise.race([settled, delay(500)]);
      onProgress?.({ done: total - (await records.chunks.countInState('pending')), total });
    }
    await vectors.settled();
    const indexed = await records.chunks.countInState('indexed');
    const points = await records.chunks.countPoints();
    const rows = await runtime.vectors.store.count();
    if (runtime.vectors.persistent && rows < points) {
      throw new MemoryError(
        'vector_unavailable',
        'The destination holds fewer vectors than it should; run the migration again',
      );
    }
    return { provider: runtime.vectors.provider, rows, indexed_chunks: indexed };
  } finally {
    await runtime.close();
  }
}

function settingsOf(store: MetadataStore) {
  return settingRecords(recordStore(store), () => new Date().toISOString());
}

/** Identifies the metadata store of a configuration, without secrets. */
function placeOf(config: Config): string {
  const { name, settings } = activeMetadataSettings(config);
  const place = name === 'sqlite' ? { path: metadataPath(config) } : settings;
  return createHash('sha256')
    .update(JSON.stringify([name, place]))
    .digest('hex');
}

async function withStore<Result>(
  { config, observer }: { config: Config; observer: Observer },
  run: (store: MetadataStore) => Promise<Result>,
): Promise<Result> {
  const lock = lockData(config.paths.dataDir, 'shared');
  try {
    const store = await openMetadata(config, observer);
    return await run(store).finally(store.close);
  } finally {
    lock.release();
  }
}
