import { existsSync, mkdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ActiveMetadataSettings, activeMetadataSettings, type MetadataSettings } from '../config/active.js';
import type { Config } from '../config/schema.js';
import type { MetadataProvider } from '../config/storage-schema.js';
import { MemoryError, StartupError } from '../model/errors.js';
import { tables, schemaVersion as writtenVersion } from '../model/tables.js';
import type { Observer } from '../observability/observer.js';
import type { MetadataDriver, MetadataPlace, MetadataStore, Table } from '../stores/metadata/contract.js';
import { metadataDrivers } from '../stores/metadata/drivers.js';
import { troubleOf } from '../stores/metadata/shared/trouble.js';
import {
  copiesFolder,
  copiesIn,
  newCopy,
  removeOldCopies,
  uncopied,
} from '../stores/metadata/shared/upgrade-copies.js';
import { dryRunMetadata, guardedMetadata, observedMetadata } from '../stores/metadata/wrappers.js';
import { backUpStore, verifyBackup } from './backup-file.js';
import { type Around, type Dependencies, guardDependencies } from './dependencies.js';
import { failureAt } from './open-vectors.js';

interface OpenOptions {
  dependencies?: Dependencies;
  around?: Around;
}

/** Opens the configured metadata store and refuses a schema version that the configuration does not allow. */
export async function openMetadata(
  config: Config,
  observer: Pick<Observer, 'log'>,
  options: OpenOptions = {},
): Promise<MetadataStore> {
  refuseOtherSchema(config);
  const {
    dependencies = guardDependencies(config),
    around: { metadata: around = (store: MetadataStore) => store } = {},
  } = options;
  const active = activeMetadataSettings(config);
  const driver: MetadataDriver = metadataDrivers[active.name];
  const path = metadataPath(config);
  const dryRun = config.storage.dryRun;
  const observed = (used: ActiveMetadataSettings, place: StorePlace): MetadataStore => {
    const raw = around(createMetadata(used, place));
    const guarded = guardedMetadata(raw, dependencies.metadata, { timeoutMs: config.storage.timeoutMs });
    return observedMetadata(guarded, { record: () => {} });
  };
  // A dry run changes nothing on disk: it reads an existing store or starts with an empty one in memory.
  const inMemory = dryRun && driver.remote !== true && !existsSync(path);
  let store = observed(active, inMemory ? { path: ':memory:' } : { path, readOnly: dryRun, upgrade: false });
  let { schemaVersion, copy, older } = await opened(store, config);
  if (older !== undefined) {
    copy = await copyBeforeUpgrade(store, older, upgradeCopiesFolder(config)).finally(store.close);
    store = observed(active, { path });
    ({ schemaVersion } = await opened(store, config));
  }
  // Logged as a warning, so that commands show it too: the user may want the copy.
  if (copy !== undefined) observer.log('warn', 'metadata_upgraded', { file: copy });
  if (dryRun && schemaVersion === 0) {
    await store.close();
    store = observed({ name: 'sqlite', settings: {} }, { path: ':memory:' });
    ({ schemaVersion } = await opened(store, config));
  }
  const allowed = config.storage.metadataSchemaVersions;
  if (!allowed.includes(schemaVersion)) {
    await store.close();
    throw new StartupError(
      'schema_version_unsupported',
      `The metadata store has schema version ${schemaVersion}; storage.metadata_schema_versions allows ${allowed.join(', ')}.`,
      {
        hint: 'Install the version of Threadkeep that wrote this data (or a newer one), restore a backup into an empty folder, or choose another paths.data_dir. Nothing was changed.',
      },
    );
  }
  if (dryRun) return dryRunMetadata(store);
  return isRemote(config) ? withoutCopies(store, upgradeCopiesFolder(config)) : store;
}

/**
 * Writes a backup of a store on a server, before a newer version of Threadkeep changes its tables. The older version
 * can restore it. Throws `upgrade_not_copied`.
 */
async function copyBeforeUpgrade(store: MetadataStore, older: readonly Table[], folder: string): Promise<string> {
  const file = newCopy(folder, writtenVersion, 'tkbackup');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    await backUpStore(store, older, { file });
    await verifyBackup({ file });
    removeOldCopies(folder);
    return file;
  } catch (cause) {
    // A backup that cannot be read back would replace a good one.
    await rm(file, { force: true }).catch(() => undefined);
    throw uncopied(folder, cause);
  }
}

/** Scrubbing also removes the copies made before upgrades, which still contain the deleted data. */
function withoutCopies(store: MetadataStore, folder: string): MetadataStore {
  return {
    ...store,
    async scrub() {
      await store.scrub?.();
      await Promise.all(copiesIn(folder).map((copy) => rm(copy, { force: true })));
    },
  };
}

/** Pairs each driver with its settings in the configuration: a driver that needs others does not compile. */
const driversOfSettings: { readonly [Name in MetadataProvider]: MetadataDriver<MetadataSettings[Name]> } =
  metadataDrivers;

type StorePlace = Omit<MetadataPlace<unknown>, 'settings'>;

/** The store of a provider, not opened yet. */
function createMetadata<Name extends MetadataProvider>(
  { name, settings }: ActiveMetadataSettings<Name>,
  place: StorePlace,
): MetadataStore {
  return driversOfSettings[name].create({ settings, ...place });
}

/** Rejects a configuration that does not allow the schema version this build writes, before anything is created. */
export function refuseOtherSchema({ storage: { metadataSchemaVersions: allowed } }: Config): void {
  if (allowed.includes(writtenVersion)) return;
  throw new StartupError(
    'schema_version_unsupported',
    `This Threadkeep writes schema version ${writtenVersion}; storage.metadata_schema_versions allows ${allowed.join(', ')}.`,
    {
      hint: `Add ${writtenVersion} to storage.metadata_schema_versions, or install a Threadkeep that writes one of the others. Nothing was changed.`,
    },
  );
}

/** Whether other machines may use the same metadata store. */
export function isRemote(config: Config): boolean {
  const driver: MetadataDriver = metadataDrivers[config.providers.metadataDb];
  return driver.remote === true;
}

/** The file of an embedded store. */
export function metadataPath(config: Config): string {
  const { settings } = activeMetadataSettings(config);
  return 'path' in settings && settings.path ? settings.path : join(config.paths.dataDir, 'metadata.sqlite3');
}

/** Where the copies made before upgrades are: beside the database file, or in the data folder of this machine. */
export function upgradeCopiesFolder(config: Config): string {
  return join(isRemote(config) ? config.paths.dataDir : dirname(metadataPath(config)), copiesFolder);
}

async function opened(store: MetadataStore, config: Config): ReturnType<MetadataStore['open']> {
  try {
    return await store.open(tables);
  } catch (cause) {
    await store.close();
    if (!(cause instanceof MemoryError)) throw cause;
    const trouble = troubleOf(cause.cause);
    const { name, settings } = activeMetadataSettings(config);
    const failed = `The metadata store ${name} could not be opened${failureAt(settings, cause)}`;
    const said = `${trouble?.what ?? failed}.`;
    const hint =
      trouble?.remedy ?? 'Check its address, its credentials and that it is running; the log has the reason.';
    throw new StartupError('driver_unavailable', said, { hint, cause });
  }
}

const ownerAlone = 0o077;

/**
 * Warns when other users of this machine can read the data. Existing folders and files keep their permissions, because
 * someone may have set them on purpose: the warning reports them and changes nothing.
 */
export function warnOfLooseRights(config: Config, observer: Pick<Observer, 'log'>): void {
  // Windows has no such permission bits.
  if (process.platform === 'win32') return;
  for (const file of [config.paths.dataDir, metadataPath(config)]) {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined || (found.mode & ownerAlone) === 0) continue;
    observer.log('warn', 'data_readable_by_others', { file, mode: (found.mode & 0o777).toString(8) });
  }
}
