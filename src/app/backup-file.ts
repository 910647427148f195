import { randomUUID } from 'node:crypto';
import { allRows, countRows } from '../backup/copy.js';
import {
  type Counts,
  decodeLines,
  encodeLines,
  isSealed,
  type Manifest,
  readBackup,
  writeBackup,
} from '../backup/file.js';
import { schemaVersion } from '../model/tables.js';
import type { MetadataStore, Table } from '../stores/metadata/contract.js';
import { version } from './version.js';

export interface BackupReport {
  status: 'ok';
  file: string;
  id: string;
  created_at: string;
  sealed: boolean;
  rows: Counts;
}

export interface FileRequest {
  file: string;
  passphrase?: string | undefined;
  onProgress?: (progress: { done: number; total: number }) => void;
}

/** Writes every row of these tables into a new backup, as a consistent snapshot; others may write in the meantime. */
export async function backUpStore(
  store: Pick<MetadataStore, 'snapshot'>,
  tables: readonly Table[],
  { file, passphrase, onProgress }: FileRequest,
): Promise<void> {
  const manifest: Manifest = {
    format: 'threadkeep-backup',
    version: 1,
    id: randomUUID(),
    created_at: new Date().toISOString(),
    schema_version: schemaVersion,
    made_by: `threadkeep ${version}`,
  };
  const snapshot = await store.snapshot();
  try {
    const total = await countRows(snapshot, tables);
    const lines = encodeLines(manifest, allRows(snapshot, tables), (done) => onProgress?.({ done, total }));
    await writeBackup(file, lines, passphrase);
  } finally {
    await snapshot.close();
  }
}

/** Reads the whole file and checks counts and checksum; writes nothing. */
export async function verifyBackup({ file, passphrase }: FileRequest): Promise<BackupReport> {
  const { manifest, rows } = await decodeLines(readBackup(file, passphrase));
  let next = await rows.next();
  while (next.done !== true) next = await rows.next();
  const { id, created_at } = manifest;
  return { status: 'ok', file, id, created_at, sealed: await isSealed(file), rows: next.value };
}
