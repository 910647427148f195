import { existsSync } from 'node:fs';
import { StartupError } from '../model/errors.js';
import type { EmbeddedMemory, OpenOptions, ReindexInput, ReindexOptions, ReindexOutput } from './open-options.js';

export type { ErrorCode, Issue, StartupCode } from '../model/errors.js';
export { MemoryError, StartupError } from '../model/errors.js';
export type * from './memory.js';
export type * from './open-options.js';
// The types of all inputs and results. Their names are distinct, so the wildcard export hides nothing.
export type * from './wire.js';

/**
 * Opens a memory in this process. Other processes, such as a server, may use the same folder. Without `dataDir` and
 * `config`, it opens the memory that the command line uses. Rejects with a `StartupError` that says what to do.
 */
export async function openMemory(options: OpenOptions = {}): Promise<EmbeddedMemory> {
  const { openEmbedded } = await embedded();
  return openEmbedded(options);
}

/**
 * Rebuilds the index of a memory that `openMemory` rejects with `reindex_required`, because the embedding model or the
 * distance has changed.
 */
export async function reindexMemory(
  options: OpenOptions & ReindexInput = {},
  run: ReindexOptions = {},
): Promise<ReindexOutput> {
  const { reindexEmbedded } = await embedded();
  const { project_id, limit, include_inactive, ...open } = options;
  return reindexEmbedded(open, { project_id, limit, include_inactive }, run);
}

/** Loaded on demand, so that importing this module reads no store and starts no thread. */
async function embedded(): Promise<typeof import('./embedded.js')> {
  // Worker threads, models and schemas are files beside the code, which a bundle does not include.
  if (!existsSync(new URL('../../models/ranker.json', import.meta.url))) {
    throw new StartupError('package_missing', 'Threadkeep cannot find its own files because it was bundled.', {
      hint: 'Keep threadkeep out of the bundle (external: ["threadkeep"]), or use threadkeep/client.',
    });
  }
  return import('./embedded.js');
}
