import { refuseWhileServed } from '../concurrency/lease.js';
import type { Config } from '../config/schema.js';
import { type ReindexOptions, type ReindexReport, reindex } from '../indexing/reindex.js';
import { invalidInput } from '../model/errors.js';
import type { Observer } from '../observability/observer.js';
import { isRemote } from './open-metadata.js';
import { openRuntime, type Runtime } from './open-runtime.js';

export type ReindexRequest = Omit<ReindexOptions, 'after' | 'emptyDestination'>;

/**
 * Rebuilds the vector index. With the same model, vectors are replaced in place while a server runs. With another
 * model, dimension, distance or store, it needs the data folder exclusively, empties the store and records its
 * progress, so that an interrupted run can be resumed.
 */
export async function runReindex(config: Config, observer: Observer, request: ReindexRequest): Promise<ReindexReport> {
  const runtime = await openRuntime({ config, observer, purpose: 'reindex' });
  const state = runtime.vectors.persistent ? await runtime.identity.state() : 'same';
  const partial = request.projectId !== undefined || request.limit !== undefined;
  if (state === 'same' || (state === 'fresh' && partial)) {
    return withRuntime(runtime, () => inPlace(runtime, request));
  }
  await runtime.close();
  if (partial) {
    throw invalidInput('', 'The new settings require a rebuild of the whole index: leave out --project-id and --limit');
  }
  const alone = await openRuntime({ config, observer, purpose: 'reindex', lock: 'exclusive' });
  return withRuntime(alone, () => intoEmpty(alone, config, request));
}

async function inPlace(runtime: Runtime, request: ReindexRequest): Promise<ReindexReport> {
  if (runtime.vectors.persistent) await runtime.identity.remember();
  return reindex(runtime.service, request);
}

async function intoEmpty(runtime: Runtime, config: Config, request: ReindexRequest): Promise<ReindexReport> {
  const { identity, service } = runtime;
  if (isRemote(config)) await refuseWhileServed(service.records.lease);
  let after = (await identity.openRebuild())?.after;
  if (after === undefined) {
    // Recorded first: a crash right after this leaves an open rebuild, not an empty index that looks complete.
    await identity.remember({});
    await service.vectors.reset({
      dimension: config.providers.embeddingDimension,
      distance: config.storage.vector.distance,
    });
  }
  const report = await reindex(service, {
    ...request,
    emptyDestination: true,
    ...(after === undefined ? {} : { after }),
    async onProgress(progress) {
      after = progress.lastId;
      await identity.remember({ after });
      await request.onProgress?.(progress);
    },
  });
  if (report.complete) await identity.remember();
  return report;
}

async function withRuntime(runtime: Runtime, run: () => Promise<ReindexReport>): Promise<ReindexReport> {
  try {
    return await run();
  } finally {
    await runtime.close();
  }
}
