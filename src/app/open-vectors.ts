import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { activeVectorSettings } from '../config/active.js';
import type { Config } from '../config/schema.js';
import { StartupError } from '../model/errors.js';
import type { Labels, Observer } from '../observability/observer.js';
import {
  DamagedIndex,
  type Distance,
  type DriverPlace,
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
  /** What is really used; `memory` after a fallback. */
  provider: string;
  /** Rows survive the process, and are the configured store's own. */
  persistent: boolean;
  /** Why the configured store is not used. */
  fallbackReason?: string;
  /** The store exists in another shape: only a reindex may replace it. */
  shapeMismatch?: ShapeMismatch;
}

interface OpenOptions {
  observer: Observer;
  dependencies: Dependencies;
  around?: Around;
  /** No other process uses the folder. */
  alone?: boolean;
  /** To look at what is stored, an empty store stands in also where the configuration allows no other one. */
  look?: boolean;
}

/**
 * Opens the configured vector store, or the in-memory one in its place where the configuration allows that. A damaged
 * index on this machine is removed, to be made again from the metadata, unless another process uses it.
 */
export async function openVectors(config: Config, options: OpenOptions): Promise<OpenedVectors> {
  const requested = config.providers.vector_db;
  const shape = { dimension: config.providers.embedding_dimension, distance: config.storage.vector.distance };
  const driver: VectorDriver = vectorDrivers[requested];
  if (requested !== 'memory') options.observer.count('memory_provider_fallback_total', fallbackLabels(requested), 0);
  try {
    requireDistance(driver, shape.distance);
    const path = vectorPath(config);
    // A dry run changes nothing anywhere, so a store that does not exist yet is not created either, and a service,
    // which creates its collection when it is opened, is not opened at all.
    const isThere = driver.embedded === true && existsSync(path);
    const instead: VectorDriver = config.storage.dry_run && !isThere ? vectorDrivers.memory : driver;
    const place = { settings: activeVectorSettings(config).settings, path };
    const create = () => guarded(instead.create(place), config, options);
    const { store, ...found } = await openOrMakeAnew(instead, { ...options, place, shape, create });
    const opened = { provider: requested, persistent: instead.persistent };
    return { ...opened, ...found, store: wrapped(store, config, options.observer, requested) };
  } catch (cause) {
    return fallBack(config, options, cause);
  }
}

interface Opening extends Pick<OpenOptions, 'observer' | 'alone'> {
  place: DriverPlace;
  shape: IndexShape;
  create: () => VectorStore;
}

async function openOrMakeAnew(
  driver: VectorDriver,
  { place, shape, observer, alone = false, create }: Opening,
): Promise<Pick<OpenedVectors, 'store' | 'shapeMismatch'>> {
  try {
    return await openAsItIs(create(), shape);
  } catch (error) {
    if (!(error instanceof DamagedIndex) || driver.discard === undefined || !alone) throw error;
    observer.log('warn', 'vector_index_discarded', { provider: driver.name }, error);
    await driver.discard(place);
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
  const requested = config.providers.vector_db;
  const fallbackReason = cause instanceof StartupError ? cause.message : `${requested} could not be opened`;
  const allowed = config.storage.vector.allow_fallback;
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
  const code = errorCodeOf(cause);
  const where = placeOf(settings) + (code === undefined ? '' : `: ${code}`);
  return new StartupError(
    'driver_unavailable',
    `The vector store ${config.providers.vector_db} could not be opened${where}.`,
    {
      hint: 'Run `threadkeep storage-check`, which tries it step by step; storage.vector.allow_fallback: true would serve from memory meanwhile.',
      cause,
    },
  );
}

/** ` at host:port`, without the name and password that an address may carry; nothing where the settings have none. */
export function placeOf(settings: Record<string, unknown>): string {
  const address = addressOf(settings);
  return address === undefined ? '' : ` at ${address.host}:${address.port}`;
}

const deepestCause = 5;

/** What the operating system calls it, such as ECONNREFUSED. Messages are left out: they may repeat what was sent. */
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

/** An empty store in memory, for what waits to be written or for what has nowhere else to go. */
export async function openTail(config: Config): Promise<VectorStore> {
  const memory: VectorDriver = vectorDrivers.memory;
  const store = memory.create({ settings: {}, path: '' });
  await store.open({ dimension: config.providers.embedding_dimension, distance: config.storage.vector.distance });
  return store;
}

/** Below the joining of writes, so that one write without an answer does not hold up those behind it. */
function guarded(raw: VectorStore, config: Config, { dependencies, around }: OpenOptions): VectorStore {
  const store = around?.vectors?.(raw) ?? raw;
  const driver: VectorDriver = vectorDrivers[config.providers.vector_db];
  const settings = { timeoutMs: config.storage.timeout_ms, embedded: driver.embedded === true };
  return guardedVectors(store, dependencies.vectors, settings);
}

function wrapped(raw: VectorStore, config: Config, observer: Observer, provider: string): VectorStore {
  const store = observedVectors(coalesced(raw), {
    dimension: config.providers.embedding_dimension,
    record({ call, milliseconds }) {
      if (call === 'search') observer.duration('memory_vector_search_duration_ms', milliseconds, { provider });
    },
  });
  return config.storage.dry_run ? dryRunVectors(store) : store;
}

/** The folder of an embedded store. */
export function vectorPath(config: Config): string {
  const { settings } = activeVectorSettings(config);
  return 'path' in settings && settings.path ? settings.path : join(config.paths.data_dir, 'vectors');
}

/** Throws where the store cannot measure what is configured. */
export function requireDistance({ name, distances }: VectorDriver, distance: Distance): void {
  if (distances.includes(distance)) return;
  throw new StartupError('driver_unavailable', `The vector store ${name} does not measure ${distance}.`, {
    hint: `Set storage.vector.distance to ${distances.join(' or ')}, then run "threadkeep reindex".`,
  });
}

export interface Address {
  host: string;
  port: number;
}

const PATIENCE_MILLISECONDS = 5_000;

/** The services that have a place of their own, by the settings that say where. */
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
 * Where a provider's settings point to. Absent where that takes more than reading them: a service behind a vendor's
 * name, a list of hosts, a name that is looked up as a service.
 */
export function addressOf(settings: Record<string, unknown>): Address | undefined {
  const text = settings.url ?? settings.uri;
  if (typeof text !== 'string' || !URL.canParse(text)) return undefined;
  const { hostname, port, protocol } = new URL(text);
  const standard = standardPorts[protocol];
  if (hostname === '' || standard === undefined) return undefined;
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) || standard };
}

/** Opens a connection and closes it: somebody listens there. */
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
