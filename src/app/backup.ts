import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Audit, createAudit } from '../auth/audit.js';
import { allRows, countRows, fill } from '../backup/copy.js';
import {
  type Counts,
  decodeLines,
  encodeLines,
  isSealed,
  type Manifest,
  readBackup,
  writeBackup,
} from '../backup/file.js';
import { activeMetadataSettings } from '../config/active.js';
import type { Config } from '../config/schema.js';
import { MemoryError, StartupError } from '../model/errors.js';
import { localUserId } from '../model/ids.js';
import { schemaVersion, tables as tableList } from '../model/tables.js';
import type { Observer } from '../observability/observer.js';
import { auditRecords } from '../records/accounts.js';
import { settingRecords } from '../records/open.js';
import { recordStore } from '../records/store.js';
import type { MetadataStore } from '../stores/metadata/contract.js';
import { copiesFolder, copiesIn } from '../stores/metadata/drivers/sqlite/upgrade.js';
import { lockData, restoreMark } from './data-folder.js';
import { openMetadata } from './open-metadata.js';
import { openRuntime } from './open-runtime.js';
import { version } from './version.js';

const tables = tableList;

export interface BackupReport {
  status: 'ok';
  file: string;
  id: string;
  created_at: string;
  sealed: boolean;
  rows: Counts;
}

interface FileRequest {
  file: string;
  passphrase?: string | undefined;
  onProgress?: (progress: { done: number; total: number }) => void;
}

/**
 * Backs up everything that is stored, as of one moment, while the server keeps running. Vectors are left out: they can
 * be recomputed.
 */
export async function backUp(config: Config, observer: Observer, request: FileRequest): Promise<BackupReport> {
  const { file, passphrase, onProgress } = request;
  if (existsSync(file)) throw new MemoryError('invalid_input', `The file ${file} already exists; choose another name`);
  const now = new Date().toISOString();
  const manifest: Manifest = {
    format: 'threadkeep-backup',
    version: 1,
    id: randomUUID(),
    created_at: now,
    schema_version: schemaVersion,
    made_by: `threadkeep ${version}`,
  };
  await withMetadata(config, observer, async (store) => {
    // Recorded first, so that the copy contains the event.
    await auditIn(store, observer).record({ event: 'backup_made', userId: localUserId });
    const snapshot = await store.snapshot();
    try {
      const total = await countRows(snapshot, tables);
      const lines = encodeLines(manifest, allRows(snapshot, tables), (done) => onProgress?.({ done, total }));
      await writeBackup(file, lines, passphrase);
    } finally {
      await snapshot.close();
    }
  });
  // Reads the file back, because an unreadable backup is worthless.
  return verifyBackup({ file, passphrase });
}

/** Reads the whole file and checks counts and checksum; writes nothing. */
export async function verifyBackup({ file, passphrase }: FileRequest): Promise<BackupReport> {
  const { manifest, rows } = await decodeLines(readBackup(file, passphrase));
  let next = await rows.next();
  while (next.done !== true) next = await rows.next();
  const { id, created_at } = manifest;
  return { status: 'ok', file, id, created_at, sealed: await isSealed(file), rows: next.value };
}

/** Restores into an empty store. The file is verified first, so a damaged one changes nothing. */
export async function restoreBackup(config: Config, observer: Observer, request: FileRequest): Promise<BackupReport> {
  if (config.storage.dryRun)
    throw new MemoryError('invalid_input', 'A dry run cannot restore; set storage.dry_run: false');
  const { file, passphrase, onProgress } = request;
  const report = await verifyBackup(request);
  const total = Object.values(report.rows).reduce((sum, count) => sum + count, 0);
  await withMetadata(config, observer, async (store) => {
    const settings = settingRecords(recordStore(store), () => new Date().toISOString());
    await refuseUnlessEmpty(store, (await settings.get(restoreMark)) === report.id);
    await settings.set(restoreMark, report.id);
    const { manifest, rows } = await decodeLines(readBackup(file, passphrase));
    if (manifest.schema_version > schemaVersion) throw tooNew(manifest);
    await fill(store, rows, (done) => onProgress?.({ done, total }));
    await settings.remove(restoreMark);
    await auditIn(store, observer).record({ event: 'backup_restored', userId: localUserId, count: total });
  });
  await makeVectors(config, observer);
  return report;
}

/** Writes each event immediately: there is no background flush here. */
function auditIn(store: MetadataStore, observer: Observer): Audit {
  const now = (): string => new Date().toISOString();
  return createAudit({ records: auditRecords(recordStore(store)), observer, now, later: () => () => {} });
}

/** An interrupted restore may be repeated with the same file; any other non-empty store is refused. */
async function refuseUnlessEmpty(store: MetadataStore, unfinished: boolean): Promise<void> {
  if (unfinished) return;
  const remembered = tables.filter(({ name }) => name !== 'settings');
  if ((await countRows(store, remembered)) === 0) return;
  throw new StartupError('data_in_use', 'The store is not empty: a backup can only be restored into an empty one.', {
    hint: 'Choose another paths.data_dir, or move the old data folder away first.',
  });
}

async function makeVectors(config: Config, observer: Observer): Promise<void> {
  const runtime = await openRuntime({ config, observer, purpose: 'command' });
  try {
    runtime.service.indexer.poke();
    await runtime.service.indexer.settled();
  } finally {
    await runtime.close();
  }
}

function tooNew({ schema_version, made_by }: Manifest): StartupError {
  return new StartupError(
    'schema_version_unsupported',
    `This backup (${made_by}) has schema version ${schema_version}.`,
    {
      hint: 'Restore it with the version of Threadkeep that made it, or a newer one.',
    },
  );
}

async function withMetadata(
  config: Config,
  observer: Observer,
  run: (store: MetadataStore) => Promise<void>,
): Promise<void> {
  const lock = lockData(config.paths.dataDir, 'shared');
  try {
    const store = await openMetadata(config, observer);
    await run(store).finally(store.close);
  } finally {
    lock.release();
  }
}

/** The database copies that upgrades made, newest first; undefined for a store that makes none. */
export function upgradeCopies(config: Config): string[] | undefined {
  const metadata = activeMetadataSettings(config);
  if (metadata.name !== 'sqlite') return undefined;
  const folder = metadata.settings.path === undefined ? config.paths.dataDir : dirname(metadata.settings.path);
  return copiesIn(join(folder, copiesFolder));
}
