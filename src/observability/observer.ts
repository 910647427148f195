import type { LogFields } from './log-fields.js';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export type CounterName =
  | 'memory_mcp_tool_calls_total'
  | 'memory_api_requests_total'
  | 'memory_insert_total'
  | 'memory_embedding_failures_total'
  | 'memory_provider_fallback_total'
  | 'memory_dependency_failures_total';

export type HistogramName =
  | 'memory_mcp_tool_duration_ms'
  | 'memory_api_request_duration_ms'
  | 'memory_ingestion_stage_duration_ms'
  | 'memory_embedding_duration_ms'
  | 'memory_vector_search_duration_ms';

export type GaugeName =
  | 'memory_vector_rows'
  | 'memory_health_mode'
  | 'memory_tokenizer_enabled'
  | 'memory_pending_chunks'
  | 'memory_queued_chunks'
  | 'memory_circuit_open'
  | 'memory_waiting_conversations'
  | 'memory_encoded_conversations';

export type Labels = Record<string, string>;

/** What a room tells about its work: ids, counts and durations, never text. Its failure never breaks an operation. */
export interface Observer {
  log(level: LogLevel, event: string, fields?: LogFields, error?: unknown): void;
  /**
   * Labels come from closed lists: providers, stages, routes, codes. `by` is 1; 0 says that there is such a series before
   * anything happened, because a rate cannot be taken of one that begins with its first event.
   */
  count(name: CounterName, labels?: Labels, by?: number): void;
  duration(name: HistogramName, milliseconds: number, labels?: Labels): void;
}
