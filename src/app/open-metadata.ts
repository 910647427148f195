import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { activeMetadataSettings } from '../config/active.js';
import type { Config } from '../config/schema.js';
import { MemoryError, StartupError } from '../model/errors.js';
import { tables } from '../model/tables.js';
import type { MetadataStore, Table } from '../stores/metadata/contract.js';
import type { MetadataDriver, MetadataPlace } from '../stores/metadata/driver.js';
import { metadataDrivers } from '../stores/metadata/drivers.js';
import { dryRunMetadata } from '../stores/metadata/dry-run.js';
import { observedMetadata } from '../stores/metadata/observed.js';
import { troubleOf } from '../stores/metadata/trouble.js';

/** Opens the configured metadata store and refuses a schema version that the configuration does not allow. */
export async function openMetadata(config: Config): Promise<MetadataStore> {
  const { name, settings } = activeMetadataSettings(config);
  const driver: MetadataDriver = metadataDrivers[name];
  const path = metadataPath(config);
  const dryRun = config.storage.dry_run;
  const observed = (used: MetadataDriver, place: Omit<MetadataPlace, 'settings'>): MetadataStore =>
    observedMetadata(used.create({ settings, ...place }), { record: () => {} });
  // A dry run changes nothing on disk: it reads what is there, or starts from nothing in memory.
  const inMemory = dryRun && driver.remote !== true && !existsSync(path);
  let store = observed(driver, inMemory ? { path: ':memory:' } : { path, readOnly: dryRun });
  let { schemaVersion } = await opened(store, name);
  if (dryRun && schemaVersion === 0) {
    await store.close();
    store = observed(metadataDrivers.sqlite, { path: ':memory:' });
    ({ schemaVersion } = await opened(store, 'sqlite'));
  }
  const allowed = config.storage.metadata_schema_versions;
  if (!allowed.includes(schemaVersion)) {
    await store.close();
    throw new StartupError(
      'schema_version_unsupported',
      `The metadata store has schema version ${schemaVersion}; storage.metadata_schema_versions allows ${allowed.join(', ')}.`,
      { hint: 'Use the version of Threadkeep that wrote this data, or another paths.data_dir.' },
    );
  }
  return dryRun ? dryRunMetadata(store) : store;
}

/** Other machines may work on the same metadata. */
export function isRemote(config: Config): boolean {
  const driver: MetadataDriver = metadataDrivers[config.providers.metadata_db];
  return driver.remote === true;
}

/** The file of an embedded store. */
export function metadataPath(config: Config): string {
  const { settings } = activeMetadataSettings(config);
  return 'path' in settings && settings.path ? settings.path : join(config.paths.data_dir, 'metadata.sqlite3');
}

async function opened(store: MetadataStore, name: string): Promise<{ schemaVersion: number }> {
  try {
    return await store.open(tables as unknown as readonly Table[]);
  } catch (cause) {
    await store.close();
    if (!(cause instanceof MemoryError)) throw cause;
    const trouble = troubleOf(cause.cause);
    const said = trouble === undefined ? `The metadata store ${name} could not be opened.` : `${trouble.what}.`;
    const hint = trouble?.remedy ?? 'Check its address, its credentials and that it runs; the log has the reason.';
    throw new StartupError('driver_unavailable', said, { hint, cause });
  }
}
