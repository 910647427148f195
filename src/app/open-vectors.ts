import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type ActiveVectorSettings, activeVectorSettings, type VectorSettings } from '../config/active.js';
import type { Config } from '../config/schema.js';
import type { VectorProvider } from '../config/storage-schema.js';
import { StartupError } from '../model/errors.js';
import type { Labels, Observer } from '../observability/observer.js';
import { outsideRequests } from '../observability/request-context.js';
import {
  DamagedIndex,
  type Distance,
  type IndexShape,
  ShapeMismatch,
  type VectorDriver,
  type VectorStore,
} from '../stores/vector/contract.js';
import { vectorDrivers } from '../stores/vector/drivers.js';
import { coalesced, dryRunVectors, guardedVectors, observedVectors } from '../stores/vector/wrappers.js';
import type { Around, Dependencies } from './dependencies.js';

export interface OpenedVectors {
  store: VectorStore;
  /** The provider in use; `memory` after a fallback. */
  provider: string;
  /** Rows survive the process and belong to the configured store. */
  persistent: boolean;
  /** Why the configured store is not used. */
  fallbackReason?: string;
  /** The store exists with a different shape: only a reindex may replace it. */
  shapeMismatch?: ShapeMismatch;
}

interface OpenOptions {
  observer: Observer;
  dependencies: Dependencies;
  around?: Around;
  /** No other process uses the folder. */
  alone?: boolean;
  /** For read-only inspection, an empty store is used as a fallback even if the configuration allows none. */
  look?: boolean;
}

/**
 * Opens the configured vector store, or the in-memory fallback where the configuration allows it. A damaged local index
 * is removed, to be rebuilt from the metadata, unless another process uses it.
 */
export async function openVectors(config: Config, options: OpenOptions): Promise<OpenedVectors> {
  const requested = config.providers.vectorDb;
  const shape = { dimension: config.providers.embeddingDimension, distance: config.storage.vector.distance };
  const driver: VectorDriver = vectorDrivers[requested];
  if (requested !== 'memory') options.observer.count('memory_provider_fallback_total', fallbackLabels(requested), 0);
  try {
    requireDistance(driver, shape.distance);
    const path = vectorPath(config);
    // A dry run changes nothing: an embedded store that does not exist is not created, and a remote one is not opened
    // at all, because opening creates its collection.
    const isThere = driver.embedded === true && existsSync(path);
    const active = config.storage.dryRun && !isThere ? inMemory : activeVectorSettings(config);
    const used: VectorDriver = vectorDrivers[active.name];
    const create = () => guarded(createVectors(active, path), config, options);
    const { store, ...found } = await openOrMakeAnew(used, { ...options, path, shape, create });
    const opened = { provider: requested, persistent: used.persistent };
    return { ...opened, ...found, store: wrapped(store, config, options.observer, requested) };
  } catch (cause) {
    return fallBack(config, options, cause);
  }
}

/** Pairs each driver with its settings in the configuration: a driver that needs others does not compile. */
const driversOfSettings: { readonly [Name in VectorProvider]: VectorDriver<VectorSettings[Name]> } = vectorDrivers;

const inMemory: ActiveVectorSettings<'memory'> = { name: 'memory', settings: {} };

/** The store of a provider, not opened yet. */
export function createVectors<Name extends VectorProvider>(
  { name, settings }: ActiveVectorSettings<Name>,
  path: string,
): VectorStore {
  return driversOfSettings[name].create({ settings, path });
}

interface Opening extends Pick<OpenOptions, 'observer' | 'alone'> {
  path: string;
  shape: IndexShape;
  create: () => VectorStore;
}

async function openOrMakeAnew(
  driver: VectorDriver,
  { path, shape, observer, alone = false, create }: Opening,
): Promise<Pick<OpenedVectors, 'store' | 'shapeMismatch'>> {
  try {
    return await openAsItIs(create(), shape);
  } catch (error) {
    if (!(error instanceof DamagedIndex) || driver.discard === undefined || !alone) throw error;
    observer.log('warn', 'vector_index_discarded', { provider: driver.name }, error);
    await driver.discard(path);
    return openAsItIs(create(), shape);
  }
}

async function openAsItIs(
  store: VectorStore,
  shape: IndexShape,
): Promise<Pick<OpenedVectors, 'store' | 'shapeMismatch'>> {
  try {
    await store.open(shape);
    return { store };
  } catch (error) {
    if (error instanceof ShapeMismatch) return { store, shapeMismatch: error };
    await store.close();
    throw error;
  }
}

async function fallBack(config: Config, options: OpenOptions, cause: unknown): Promise<OpenedVectors> {
  const { observer } = options;
  const requested = config.providers.vectorDb;
  const fallbackReason = cause instanceof StartupError ? cause.message : `${requested} could not be opened`;
  const allowed = config.storage.vector.allowFallback;
  if (!allowed && options.look !== true) throw notOpened(config, cause);
  const raw = guarded(await openTail(config), config, options);
  if (allowed) {
    observer.log('warn', 'vector_fallback_activated', { requested, effective: 'memory' }, cause);
    observer.count('memory_provider_fallback_total', fallbackLabels(requested));
  } else {
    observer.log('warn', 'vector_store_unavailable', { requested }, cause);
  }
  return { store: wrapped(raw, config, observer, 'memory'), provider: 'memory', persistent: false, fallbackReason };
}

function notOpened(config: Config, cause: unknown): StartupError {
  if (cause instanceof StartupError) return cause;
  const { settings } = activeVectorSettings(config);
  return new StartupError(
    'driver_unavailable',
    `The vector store ${config.providers.vectorDb} could not be opened${failureAt(settings, cause)}.`,
    {
      hint: 'Run `threadkeep storage-check` to test it step by step; storage.vector.allow_fallback: true would serve from memory meanwhile.',
      cause,
    },
  );
}

/** ` at host:port`, without any user name or password in the address; empty when the settings have no address. */
export function placeOf(settings: Record<string, unknown>): string {
  const address = addressOf(settings);
  return address === undefined ? '' : ` at ${address.host}:${address.port}`;
}

/** ` at host:port: ECONNREFUSED`: the address of the store and the system's error, as far as they are known. */
export function failureAt(settings: Record<string, unknown>, error: unknown): string {
  const code = errorCodeOf(error);
  return placeOf(settings) + (code === undefined ? '' : `: ${code}`);
}

const deepestCause = 5;

/** The system's error code, such as ECONNREFUSED. Messages are left out: they may repeat what was sent. */
function errorCodeOf(error: unknown): string | undefined {
  for (let depth = 0, each = error; depth < deepestCause && each instanceof Error; depth += 1, each = each.cause) {
    const { code } = each as Error & { code?: unknown };
    if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) return code;
  }
  return undefined;
}

function fallbackLabels(requested: string): Labels {
  return { requested_provider: requested, effective_provider: 'memory' };
}

/** An empty in-memory store, used for buffered writes and as the fallback. */
export async function openTail(config: Config): Promise<VectorStore> {
  const store = createVectors(inMemory, '');
  await store.open({ dimension: config.providers.embeddingDimension, distance: config.storage.vector.distance });
  return store;
}

/** Applied below write batching, so that one unanswered write does not hold up the writes behind it. */
function guarded(raw: VectorStore, config: Config, { dependencies, around }: OpenOptions): VectorStore {
  const store = around?.vectors?.(raw) ?? raw;
  const driver: VectorDriver = vectorDrivers[config.providers.vectorDb];
  const settings = { timeoutMs: config.storage.timeoutMs, embedded: driver.embedded === true };
  return guardedVectors(store, dependencies.vectors, settings);
}

function wrapped(raw: VectorStore, config: Config, observer: Observer, provider: string): VectorStore {
  const store = observedVectors(coalesced(raw), {
    dimension: config.providers.embeddingDimension,
    record({ call, milliseconds }) {
      if (call === 'search') observer.duration('memory_vector_search_duration_ms', milliseconds, { provider });
    },
  });
  return config.storage.dryRun ? dryRunVectors(store) : store;
}

/** The folder of an embedded store. */
export function vectorPath(config: Config): string {
  const { settings } = activeVectorSettings(config);
  return 'path' in settings && settings.path ? settings.path : join(config.paths.dataDir, 'vectors');
}

/** Throws if the store does not support the configured distance. */
export function requireDistance({ name, distances }: VectorDriver, distance: Distance): void {
  if (distances.includes(distance)) return;
  throw new StartupError('driver_unavailable', `The vector store ${name} does not support the distance ${distance}.`, {
    hint: `Set storage.vector.distance to ${distances.join(' or ')}, then run "threadkeep reindex".`,
  });
}

export interface Address {
  host: string;
  port: number;
}

const PATIENCE_MILLISECONDS = 5_000;

/** Default ports by URL scheme. */
const standardPorts: Record<string, number> = {
  'http:': 80,
  'https:': 443,
  'postgres:': 5432,
  'postgresql:': 5432,
  'redis:': 6379,
  'rediss:': 6379,
  'mongodb:': 27_017,
};

/**
 * The address in a provider's settings. Absent when it cannot be read from them directly: a vendor's service name, a
 * list of hosts, an SRV name.
 */
export function addressOf(settings: Record<string, unknown>): Address | undefined {
  const text = settings.url ?? settings.uri;
  if (typeof text !== 'string' || !URL.canParse(text)) return undefined;
  const { hostname, port, protocol } = new URL(text);
  const standard = standardPorts[protocol];
  if (hostname === '' || standard === undefined) return undefined;
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) || standard };
}

/** Opens a connection and closes it again, to check that something is listening. */
export function reach({ host, port }: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: PATIENCE_MILLISECONDS });
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
    socket.once('timeout', () => {
      socket.destroy();
      reject(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' }));
    });
    socket.once('error', reject);
  });
}

export interface Maintenance {
  store: VectorStore;
  /** Stops the timer and waits for a run in progress. */
  stop(): Promise<void>;
}

/** Debounce: runs once writes pause, and from time to time while they continue. */
const quietAfter = 3_000;
const writesBetweenRuns = 200;

/**
 * Runs the vector store's housekeeping in the background after writes: compacts small files, drops old versions and
 * builds indexes, so that searches stay fast and inserts do not wait.
 */
export function maintained(store: VectorStore, observer: Observer): Maintenance {
  let writes = 0;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let stopped = false;

  function run(): void {
    clearTimeout(timer);
    timer = undefined;
    const { maintain } = store;
    if (running !== undefined || stopped || maintain === undefined) return;
    writes = 0;
    running = outsideRequests(() => maintain.call(store))
      .catch((error: unknown) => observer.log('warn', 'vector_maintenance_failed', {}, error))
      .finally(() => {
        running = undefined;
        if (writes > 0) schedule();
      });
  }

  function schedule(): void {
    writes += 1;
    if (stopped || store.maintain === undefined) return;
    if (writes >= writesBetweenRuns) run();
    clearTimeout(timer);
    timer = setTimeout(run, quietAfter);
    timer.unref();
  }

  return {
    store: {
      ...store,
      async upsert(points, options) {
        await store.upsert(points, options);
        schedule();
      },
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
