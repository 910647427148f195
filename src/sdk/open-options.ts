import type { CallOptions, Memory } from './memory.js';

export interface OpenOptions {
  /**
   * The folder of the memory, created if it does not exist. Environment variables and other configuration files are
   * then ignored.
   */
  dataDir?: string | undefined;
  /** A configuration file such as `config.yaml`. */
  config?: string | undefined;
  /** Settings with the key names of the configuration file: `{ memory: { insert_policy: 'review_pending' } }`. */
  settings?: Record<string, unknown> | undefined;
  /** Act as the user of this token instead of the owner of the folder. */
  token?: string | undefined;
  /** The default source of conversations. */
  source?: string | undefined;
  /** Receives the events that a server would log: ids, counts and durations, never text. */
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
  /** Include conversations that are held for review or were rejected. */
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
  /** True when every conversation was processed: none was left out by a limit, a project or a signal. */
  complete: boolean;
}

export interface EmbeddedMemory extends Memory {
  /**
   * Rebuilds the vector index. When the signal aborts, it finishes the conversations in progress and resolves with
   * `complete: false`.
   */
  reindex(input?: ReindexInput, options?: ReindexOptions): Promise<ReindexOutput>;
}
