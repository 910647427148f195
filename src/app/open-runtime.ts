import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { localPrincipal } from '../auth/access.js';
import { jwtPrefix } from '../auth/oauth/external.js';
import type { OAuthService } from '../auth/oauth/service.js';
import { type Background, electBackground, sweepFolder } from '../concurrency/lease.js';
import { createKeyedMutex } from '../concurrency/locks.js';
import type { Config } from '../config/schema.js';
import { createDeepIndex } from '../indexing/deep/deep-index.js';
import { createDigests, fillHeadings } from '../indexing/digests.js';
import { createIndexer } from '../indexing/indexer.js';
import { createVectorIndex } from '../indexing/vector-index.js';
import { localProjectId, localUserId } from '../model/ids.js';
import type { Observer } from '../observability/observer.js';
import { outsideRequests } from '../observability/request-context.js';
import type { ImportJobs } from '../operations/imports/job.js';
import type { Service } from '../operations/service.js';
import { openRecords, type Records } from '../records/open.js';
import { openTokenizer } from '../tokenizer/open.js';
import { isUnused, lockData, refuseUnfinishedRestore } from './data-folder.js';
import { type Around, type Dependencies, guardDependencies } from './dependencies.js';
import { createHealth, type Health } from './health.js';
import { type IndexIdentity, indexIdentity, reindexRequired } from './index-identity.js';
import { type OpenedCallers, openCallers, trimAudit } from './open-callers.js';
import { isRemote, openMetadata, refuseOtherSchema, warnOfLooseRights } from './open-metadata.js';
import { type LanguageModels, openLanguageModels, openObservedEmbedder, openReading, warmUp } from './open-models.js';
import { maintained, type OpenedVectors, openTail, openVectors } from './open-vectors.js';
import { loadRanker, loadSchema, serviceSettings, tokenizerOptions } from './settings.js';

export interface Runtime {
  service: Service;
  health: Health;
  vectors: OpenedVectors;
  identity: IndexIdentity;
  dependencies: Dependencies;
  languageModels: LanguageModels;
  access: OpenedCallers & { oauth?: OAuthService };
  /** Finishes work in progress, flushes and closes. Idempotent. */
  close(): Promise<void>;
}

interface RuntimeOptions {
  config: Config;
  observer: Observer;
  /**
   * `serve` also runs the background work; `command` does one thing and closes; `reindex` may open an index made with
   * other settings.
   */
  purpose: 'serve' | 'command' | 'reindex';
  /**
   * The process keeps running, so the reading model may process saved messages in the background. A command would end
   * first.
   */
  reads?: boolean;
  /** `exclusive` to empty the vector index; by default shared. */
  lock?: 'shared' | 'exclusive';
  /**
   * The only operation that a command performs: code for others is not loaded, which halves the time of the command.
   * For `ask`, the thread that reads messages starts while the stores are opened.
   */
  only?: 'search' | 'ask';
  /** A folder for files that can be made again and only save time. */
  cache?: string | undefined;
  /** Read-only inspection: continues even if the vector store cannot be opened. */
  look?: boolean;
  around?: Around;
}

/**
 * Starts up: metadata, embedder, vectors, fingerprint check, operations. If a step fails, everything opened before it
 * is closed.
 */
export async function openRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { config, observer, purpose, lock = 'shared', look = false, around = {} } = options;
  const reads = (options.reads ?? purpose === 'serve') && !config.storage.dryRun;
  const closers: (() => unknown)[] = [];
  const close = once(() => closeAll(closers.reverse()));
  try {
    const schemaCheck = await loadSchema(config);
    // Before taking the lock, which creates the folder.
    refuseOtherSchema(config);
    const alone = !config.storage.dryRun && isUnused(config.paths.dataDir);
    if (!config.storage.dryRun) {
      closers.push(lockData(config.paths.dataDir, lock).release);
    }
    const now = steadyClock(() => Date.now());
    const dependencies = guardDependencies(config, observer);
    const reading = await openReading(config, options.cache);
    if (reading !== undefined) closers.push(reading.reader.close);
    if (options.only === 'ask') reading?.reader.prepare();
    // Its table is read while the threads of the metadata store start.
    const embedding = openObservedEmbedder(config, { observer, dependencies, around });
    const closeEmbedder = embedding.then(
      ({ embedder }) => embedder.close,
      // Reported where it is awaited.
      () => () => undefined,
    );
    closers.push(async () => (await closeEmbedder)());
    const metadata = await openMetadata(config, observer, { dependencies, around });
    closers.push(metadata.close);
    if (purpose === 'serve') warnOfLooseRights(config, observer);
    const records = openRecords(metadata, now);
    await refuseUnfinishedRestore(records);
    if (!config.storage.dryRun) await fillIn(records);
    const tokens = openCallers({ config, records, observer, now });
    const access = purpose === 'serve' ? await openAccess(config, tokens, records) : tokens;
    closers.push(access.flush);
    const { embedder, isFailing } = await embedding;
    const models = openLanguageModels(config, observer);
    closers.push(models.close);
    const { tokenizer: counter, status: tokenizerStatus } = await openTokenizer(tokenizerOptions(config));
    const tokenizer = around.tokenizer?.(counter) ?? counter;
    const opened = await openVectors(config, { observer, dependencies, around, alone, look });
    const maintenance = maintained(opened.store, observer);
    const vectors: OpenedVectors = { ...opened, store: maintenance.store };
    closers.push(vectors.store.close, maintenance.stop);
    const identity = indexIdentity(records, embedder, { vectors, distance: config.storage.vector.distance });
    const { index, isDone } = await indexOf(config, { records, vectors, observer });
    const lasting = purpose === 'serve' && vectors.persistent && !config.storage.dryRun;
    const shared = lasting && isRemote(config);
    let background: Background | undefined;
    const isOurs = (): boolean => !shared || background?.isOurs() === true;
    const apart = outsideRequests;
    const indexer = createIndexer({ records, vectors: index, embedder, observer, wait, apart, isDone, isOurs });
    const digests = createDigests({ records, observer, now, later });
    closers.push(digests.flush, index.stop, indexer.stop);
    const settle = await checkIdentity({ records, vectors, identity, purpose });
    if (settle === 'rebuild') indexer.rebuild();
    // A command must find as much as the server would.
    if (settle === 'rebuild' && purpose !== 'serve') await indexer.settled();
    if (settle === 'requeued') indexer.poke();
    if (purpose === 'serve') {
      models.announce();
      warmUp(vectors.store, { schemaCheck, observer, now });
      await trimAudit(records, now());
      await records.idempotency.removeOld(now());
      const projects = await records.accounts.projects();
      for (const id of new Set([localProjectId, ...projects.map((project) => project.id)])) await digests.catchUp(id);
      indexer.poke();
    }
    if (lasting) {
      const { poke: onElected, sweep: onRenewed } = indexer;
      background = shared
        ? electBackground({ lease: records.lease, observer, onElected, onRenewed })
        : sweepFolder(indexer.sweep);
      closers.push(background.stop);
    }
    const settings = serviceSettings(config, await loadRanker());
    const service: Service = {
      settings,
      records,
      vectors: index,
      embedder,
      tokenizer,
      ...(reading !== undefined && config.models.reader ? { reading } : {}),
      ...(models.ask === undefined ? {} : { askModel: models.ask }),
      indexer,
      digests,
      audit: access.administration.audit,
      mutex: createKeyedMutex(),
      schemaCheck,
      now,
      newId: randomUUID,
      observer,
    };
    if (reading !== undefined && config.models.tagger && reads) {
      const { createSecondOpinions, createTagging } = await import('../indexing/facts/tagging.js');
      const secondOpinions = models.facts === undefined ? undefined : createSecondOpinions(service, models.facts);
      const { reader, fingerprint: model } = reading;
      const tagging = createTagging(service, reader, { catchUp: true, model, secondOpinions });
      service.tagging = tagging;
      closers.push(tagging.stop);
    }
    if (reading !== undefined && config.models.reader && config.models.deepIndex) {
      const { reader, fingerprint: model } = reading;
      const deep = createDeepIndex(records, model);
      service.deep = deep;
      if (reads) {
        const { createEncoding } = await import('../indexing/deep/encoding.js');
        const encoding = createEncoding({ records, observer, now, reader, model, index: deep }, { catchUp: true });
        service.encoding = encoding;
        closers.push(encoding.stop);
      }
    }
    if (!config.storage.dryRun && options.only === undefined) {
      const imports = await openImportJobs(config, { service, access });
      service.imports = imports;
      closers.push(imports.stop);
      if (purpose === 'serve') await imports.resume();
    }
    const health = createHealth({
      config,
      vectors,
      embedder,
      records,
      metadata,
      dependencies,
      isEmbedderFailing: isFailing,
      tokenizer: tokenizerStatus,
    });
    return { service, health, vectors, identity, dependencies, languageModels: models, access, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Backfills what older stores and their backups lack. */
async function fillIn(records: Records): Promise<void> {
  await records.facts.fillSources();
  await fillHeadings(records);
}

/** OAuth code is loaded only by a server that uses it. */
async function openAccess(config: Config, access: OpenedCallers, records: Records): Promise<Runtime['access']> {
  if (config.api.auth !== 'oauth_resource_server') return access;
  const { openOAuth } = await import('./open-callers.js');
  return { ...access, ...(await openOAuth({ config, records, access })) };
}

/** Persists the indexed state for the configured store only: an in-memory stand-in tracks its own content. */
async function indexOf(
  config: Config,
  { records, vectors, observer }: { records: Records; vectors: OpenedVectors; observer: Observer },
) {
  const done = new Set<string>();
  const writesBehind = vectors.persistent && !config.storage.dryRun;
  const tail = writesBehind ? await openTail(config) : undefined;
  const index = createVectorIndex({
    store: vectors.store,
    ...(tail === undefined ? {} : { tail }),
    async onWritten(chunks) {
      if (vectors.persistent) return records.chunks.markIndexed(chunks);
      for (const { id } of chunks) done.add(id);
      // Vectors of conversations forgotten meanwhile stay in memory until the process ends; without a row they cannot
      // be found.
      return [];
    },
    observer,
    wait,
    apart: outsideRequests,
  });
  return { index, isDone: (id: string) => done.has(id) };
}

/** Determines the background indexer's work: leftovers only, a full rebuild, or filling an in-memory store. */
async function checkIdentity(parts: {
  records: Records;
  vectors: OpenedVectors;
  identity: IndexIdentity;
  purpose: RuntimeOptions['purpose'];
}): Promise<'leftovers' | 'requeued' | 'rebuild'> {
  const { records, vectors, identity, purpose } = parts;
  // An in-memory store starts empty and is filled again; it has no identity to keep.
  if (!vectors.persistent) return 'rebuild';
  const state = await identity.state();
  if (purpose === 'reindex') return 'leftovers';
  if (state === 'changed' || state === 'interrupted') throw reindexRequired(state);
  if (state === 'fresh') await identity.remember();
  if (state === 'extended') {
    // The old vectors serve searches until the background has replaced them. The identity is recorded last, so a crash
    // restarts the rebuild.
    if (purpose !== 'serve') return 'leftovers';
    await requeue(records);
    await identity.remember();
    return 'requeued';
  }
  // The vectors are gone (a deleted folder, another store, a power cut) although the metadata says they exist. Another
  // process may be adding or removing chunks right now, so they are counted before and after.
  const before = await records.chunks.countPoints();
  const rows = await vectors.store.count();
  if (rows >= Math.min(before, await records.chunks.countPoints())) return 'leftovers';
  await requeue(records);
  return 'requeued';
}

async function requeue(records: Records): Promise<void> {
  let after: string | undefined;
  do {
    const ids = (await records.chunks.inState('indexed', { after, limit: 2_000 })).map(({ id }) => id);
    await records.chunks.mark(ids, 'pending');
    after = ids.at(-1);
  } while (after !== undefined);
}

async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  // An abort ends the pause early; it is not a failure.
  await delay(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
}

function later(run: () => void): () => void {
  const timer = setTimeout(() => outsideRequests(run), 1_000);
  timer.unref();
  return () => clearTimeout(timer);
}

/** Closes all of them even if one fails. */
async function closeAll(closers: readonly (() => unknown)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const closer of closers) {
    try {
      await closer();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

function once(run: () => Promise<void>): () => Promise<void> {
  let result: Promise<void> | undefined;
  return () => {
    result ??= run();
    return result;
  };
}

/** Opens the import jobs of a data folder, under `imports/`. Nothing runs until a job is created or resumed. */
async function openImportJobs(
  config: Config,
  { service, access }: { service: Service; access: Pick<OpenedCallers, 'rights'> },
): Promise<ImportJobs> {
  const { jobFiles } = await import('../operations/imports/job.js');
  const { createImportJobs } = await import('../operations/imports/jobs.js');
  return createImportJobs({
    service,
    files: jobFiles(join(config.paths.dataDir, 'imports')),
    async renew({ userId, scopes, tokenId, expiresAt }) {
      if (expiresAt !== undefined && !(expiresAt > Date.parse(service.now()))) return undefined;
      if (userId === localUserId) return { ...localPrincipal, scopes };
      // Tokens of external issuers are not in our store, but their users are.
      const isOurs = tokenId !== undefined && !tokenId.startsWith(jwtPrefix);
      if (isOurs && !(await access.rights.isAlive(tokenId))) return undefined;
      const person = await access.rights.ofUser(userId);
      return person === undefined ? undefined : { ...person, scopes, ...(tokenId === undefined ? {} : { tokenId }) };
    },
  });
}

/** A backward step larger than this corrects a wrong clock, and is followed. */
const longestStep = 60_000;

/**
 * A wall clock that does not run backwards when the system clock is corrected by a few seconds, so that later messages
 * are stored as later. It advances slowly until the system clock has caught up, for a minute at most.
 */
export function steadyClock(read: () => number = Date.now): () => string {
  let last = 0;
  return () => {
    const now = read();
    // While catching up, each reading advances by one millisecond, which preserves order.
    last = now >= last || last - now > longestStep ? now : last + 1;
    return new Date(last).toISOString();
  };
}
