import { existsSync } from 'node:fs';
import { StartupError } from '../model/errors.js';
import type { CallOptions, Memory } from './memory.js';

export type { ErrorCode, Issue, StartupCode } from '../model/errors.js';
export { MemoryError, StartupError } from '../model/errors.js';
export type * from './memory.js';
// The shapes of every input and answer; each has a name of its own, so nothing hides behind the star.
export type * from './wire.js';

export interface OpenOptions {
  /** The folder of the memory; made when it does not exist. Then only the options count, no variable and no other file. */
  dataDir?: string | undefined;
  /** A configuration file such as `config.yaml`. */
  config?: string | undefined;
  /** Settings by the names of the configuration file: `{ memory: { insert_policy: 'review_pending' } }`. */
  settings?: Record<string, unknown> | undefined;
  /** Act as the holder of this token instead of the owner of the folder. */
  token?: string | undefined;
  /** Of conversations that name no source. */
  source?: string | undefined;
  /** Hears what a server would write into its log: events with ids, counts and durations, never text. */
  onLog?: ((entry: LogEntry) => void) | undefined;
}

export interface LogEntry {
  level: 'debug' | 'info' | 'warn' | 'error';
  event: string;
  fields: Record<string, unknown>;
}

export interface ReindexInput {
  project_id?: string | undefined;
  /** At most this many conversations. */
  limit?: number | undefined;
  /** Also memories that wait for review or were rejected. */
  include_inactive?: boolean | undefined;
}

export interface ReindexOptions extends CallOptions {
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined;
}

export interface ReindexOutput {
  status: 'ok' | 'error';
  total: number;
  reindexed: number;
  chunks: number;
  skipped: number;
  failed: number;
  failures: { id: string; error: string }[];
  /** Every conversation was walked: none was left out by a limit, a project or a signal. */
  complete: boolean;
}

export interface EmbeddedMemory extends Memory {
  /** Rebuilds the vector index. An aborted signal ends it after the conversations under way, with `complete: false`. */
  reindex(input?: ReindexInput, options?: ReindexOptions): Promise<ReindexOutput>;
}

/**
 * Opens a memory in this process. Other processes, a server among them, may use the same folder. Without `dataDir` and
 * `config` it is the memory that the command line uses. Rejects with a `StartupError` that says what to do.
 */
export async function openMemory(options: OpenOptions = {}): Promise<EmbeddedMemory> {
  const { openEmbedded } = await embedded();
  return openEmbedded(options);
}

/** For a memory that `openMemory` refuses with `reindex_required`, because the embedding model or the distance changed. */
export async function reindexMemory(
  options: OpenOptions & ReindexInput = {},
  run: ReindexOptions = {},
): Promise<ReindexOutput> {
  const { reindexEmbedded } = await embedded();
  const { project_id, limit, include_inactive, ...open } = options;
  return reindexEmbedded(open, { project_id, limit, include_inactive }, run);
}

/** Loaded when needed: an import of this module reads no store, starts no thread and costs nothing. */
async function embedded(): Promise<typeof import('./embedded.js')> {
  // Threads, models and schemas are files beside the code, which a bundle does not carry.
  if (!existsSync(new URL('../../models/ranker.json', import.meta.url))) {
    throw new StartupError('package_missing', 'Threadkeep cannot find its own files: it was made part of a bundle.', {
      hint: 'Keep threadkeep out of the bundle (external: ["threadkeep"]), or use threadkeep/client.',
    });
  }
  return import('./embedded.js');
}
