import { existsSync } from 'node:fs';
import { type Audit, createAudit } from '../auth/audit.js';
import { countRows, fill } from '../backup/copy.js';
import { decodeLines, type Manifest, readBackup } from '../backup/file.js';
import type { Config } from '../config/schema.js';
import { MemoryError, StartupError } from '../model/errors.js';
import { localUserId } from '../model/ids.js';
import { schemaVersion, tables } from '../model/tables.js';
import type { Observer } from '../observability/observer.js';
import { auditRecords } from '../records/accounts.js';
import { settingRecords } from '../records/open.js';
import { recordStore } from '../records/store.js';
import type { MetadataStore } from '../stores/metadata/contract.js';
import { copiesIn } from '../stores/metadata/shared/upgrade-copies.js';
import { type BackupReport, backUpStore, type FileRequest, verifyBackup } from './backup-file.js';
import { lockData, restoreMark } from './data-folder.js';
import { openMetadata, upgradeCopiesFolder } from './open-metadata.js';
import { openRuntime } from './open-runtime.js';

/**
 * Backs up all stored data as a consistent snapshot while the server keeps running. Vectors are left out: they can be
 * recomputed.
 */
export async function backUp(config: Config, observer: Observer, request: FileRequest): Promise<BackupReport> {
  const { file, passphrase } = request;
  if (existsSync(file)) throw new MemoryError('invalid_input', `The file ${file} already exists; choose another name`);
  await withMetadata(config, observer, async (store) => {
    // Recorded first, so that the copy contains the event.
    await auditIn(store, observer).record({ event: 'backup_made', userId: localUserId });
    await backUpStore(store, tables, request);
  });
  // Reads the file back, because an unreadable backup is worthless.
  return verifyBackup({ file, passphrase });
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

/** The copies that upgrades made before they changed the tables, newest first. */
export function upgradeCopies(config: Config): string[] {
  return copiesIn(upgradeCopiesFolder(config));
}
