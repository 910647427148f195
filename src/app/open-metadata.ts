import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { activeMetadataSettings } from '../config/active.js';
import type { Config } from '../config/schema.js';
import { StartupError } from '../model/errors.js';
import { tables } from '../model/tables.js';
import type { MetadataStore, Table } from '../stores/metadata/contract.js';
import type { MetadataDriver } from '../stores/metadata/driver.js';
import { metadataDrivers } from '../stores/metadata/drivers.js';
import { dryRunMetadata } from '../stores/metadata/dry-run.js';
import { observedMetadata } from '../stores/metadata/observed.js';

/** Opens the configured metadata store and refuses a schema version that the configuration does not allow. */
export async function openMetadata(config: Config): Promise<MetadataStore> {
  const { name, settings } = activeMetadataSettings(config);
  const driver = (metadataDrivers as Record<string, MetadataDriver | undefined>)[name];
  if (driver === undefined) {
    throw new StartupError('driver_unavailable', `providers.metadata_db: ${name} has no driver in this version.`, {
      hint: `Use one of: ${Object.keys(metadataDrivers).join(', ')}.`,
    });
  }
  const path = 'path' in settings && settings.path ? settings.path : join(config.paths.data_dir, 'metadata.sqlite3');
  const dryRun = config.storage.dry_run;
  // A dry run changes nothing on disk: it reads what is there, or starts from nothing in memory.
  const place = dryRun && !existsSync(path) ? { path: ':memory:' } : { path, readOnly: dryRun };
  const store = observedMetadata(driver.create({ settings, ...place }), { record: () => {} });
  const { schemaVersion } = await store.open(tables as unknown as readonly Table[]);
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
