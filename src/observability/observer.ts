import type { Steps } from '../model/steps.js';

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

/**
 * How components report their work: ids, counts and durations, never text. A failing observer never breaks an
 * operation.
 */
export interface Observer {
  log(level: LogLevel, event: string, fields?: LogFields, error?: unknown): void;
  /**
   * Labels come from closed lists: providers, stages, routes, codes. `by` defaults to 1; 0 creates the series before
   * its first event, because a rate needs a starting value.
   */
  count(name: CounterName, labels?: Labels, by?: number): void;
  duration(name: HistogramName, milliseconds: number, labels?: Labels): void;
}

/**
 * The allowlist of log fields besides time, level, event and request. Unlisted fields and values of the wrong kind are
 * not written, so no call can log user text by mistake.
 *
 * `name` is a word from our own code or configuration (a route template, a tool, a code), `id` is one that we generated
 * or an operator chose, `address` and `file` are our own. Texts, queries, titles and tags have no kind.
 */
const logFields = {
  audit: 'name',
  chunks: 'number',
  conversations: 'number',
  dropped: 'number',
  effective: 'name',
  ended: 'number',
  error_code: 'name',
  events: 'number',
  file: 'path',
  left: 'number',
  method: 'name',
  mode: 'name',
  ms: 'number',
  operation: 'name',
  port: 'number',
  project: 'id',
  provider: 'name',
  reason: 'name',
  requested: 'name',
  retry_in_ms: 'number',
  route: 'name',
  sessions: 'number',
  signal: 'name',
  status: 'name',
  token: 'id',
  tokens: 'number',
  tool: 'name',
  url: 'address',
  user: 'id',
  version: 'name',
  /** Written only with `observability.debug_payloads`. */
  payload: 'payload',
} as const satisfies Record<string, FieldKind>;

type FieldKind = 'number' | 'name' | 'id' | 'address' | 'path' | 'payload';
type Fields = typeof logFields;

export type LogFields = {
  [Name in keyof Fields]?: (Fields[Name] extends 'number' ? number : string | number | boolean) | undefined;
};

const forms: Record<Exclude<FieldKind, 'number' | 'payload'>, RegExp> = {
  name: /^[\w./:{}*+-]{1,80}$/,
  id: /^[^\s"]{1,128}$/,
  path: /^[^"\n\r]{1,500}$/,
  address: /^https?:\/\/[\w.:[\]-]{1,128}$/,
};

/** The fields that may be written; a malformed value becomes `?`, so that it is noticed. */
export function allowedFields(fields: LogFields, { payloads }: { payloads: boolean }): Record<string, unknown> {
  const allowed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    const kind = (logFields as Record<string, FieldKind | undefined>)[name];
    if (value === undefined || kind === undefined) continue;
    if (kind === 'payload') {
      if (payloads) allowed[name] = value;
    } else if (typeof value === 'number' || typeof value === 'boolean') allowed[name] = value;
    else if (kind !== 'number') allowed[name] = forms[kind].test(value) ? value : '?';
  }
  return allowed;
}

/** Runs a stage and reports its duration, also when it fails. */
export function stage<T>(observer: Observer, name: string, run: () => T): T {
  const started = performance.now();
  try {
    return run();
  } finally {
    observer.duration('memory_ingestion_stage_duration_ms', performance.now() - started, { stage: name });
  }
}

/** The same for work in steps; time spent in other work between steps is not counted. */
export function* stageInSteps<T>(observer: Observer, name: string, steps: Steps<T>): Steps<T> {
  let took = 0;
  try {
    for (;;) {
      const started = performance.now();
      const step = steps.next();
      took += performance.now() - started;
      if (step.done) return step.value;
      yield;
    }
  } finally {
    observer.duration('memory_ingestion_stage_duration_ms', took, { stage: name });
  }
}

/** The same for work that has already started. */
export async function timed<T>(observer: Observer, name: string, work: Promise<T>): Promise<T> {
  const started = performance.now();
  try {
    return await work;
  } finally {
    observer.duration('memory_ingestion_stage_duration_ms', performance.now() - started, { stage: name });
  }
}
