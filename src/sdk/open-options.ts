import type { CallOptions, Memory } from './memory.js';

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
