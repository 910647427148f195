/**
 * Every failure a caller can see has one of these codes; the table below gives each its faces. `message` and `issues`
 * are public and never hold user content or secrets; `cause` is for the log alone.
 */
export const errorFaces = {
  invalid_input: { http: 400, exit: 1 },
  save_intent_required: { http: 400, exit: 1 },
  invalid_save_intent: { http: 400, exit: 1 },
  unauthenticated: { http: 401, exit: 1 },
  insufficient_scope: { http: 403, exit: 1 },
  permission_denied: { http: 403, exit: 1 },
  not_found: { http: 404, exit: 1 },
  method_not_allowed: { http: 405, exit: 1 },
  duplicate_conflict: { http: 409, exit: 1 },
  unauthorized_update: { http: 409, exit: 1 },
  memory_not_pending_review: { http: 409, exit: 1 },
  payload_too_large: { http: 413, exit: 1 },
  unsupported_media_type: { http: 415, exit: 1 },
  rate_limited: { http: 429, exit: 1 },
  embedding_unavailable: { http: 503, exit: 3 },
  vector_unavailable: { http: 503, exit: 3 },
  metadata_unavailable: { http: 503, exit: 3 },
  internal_error: { http: 500, exit: 3 },
} as const satisfies Record<string, { http: number; exit: number }>;

export type ErrorCode = keyof typeof errorFaces;

/** One thing wrong with the input: where it is and what is allowed, never the value itself. */
export interface Issue {
  path: string;
  message: string;
}

interface MemoryErrorDetails {
  issues?: Issue[];
  /** Extra public fields of the error body, such as the current `memory_status`. */
  fields?: Record<string, string>;
  cause?: unknown;
}

export class MemoryError extends Error {
  readonly code: ErrorCode;
  readonly issues: Issue[] | undefined;
  readonly fields: Record<string, string>;

  constructor(code: ErrorCode, message: string, details: MemoryErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'MemoryError';
    this.code = code;
    this.issues = details.issues;
    this.fields = details.fields ?? {};
  }
}

/** The service failed and not its caller: every door writes such a failure into the log, with its causes. */
export function isOurFault(error: unknown): boolean {
  return !(error instanceof MemoryError) || errorFaces[error.code].http >= 500;
}

/** The input is wrong at `path`; the message repeats the path so that it reads well alone. */
export function invalidInput(path: string, message: string): MemoryError {
  return new MemoryError('invalid_input', path === '' ? message : `${path} ${message}`, {
    issues: [{ path, message }],
  });
}

export type StartupCode =
  | 'config_invalid'
  | 'schema_invalid'
  | 'schema_version_unsupported'
  | 'reindex_required'
  | 'dimension_mismatch'
  | 'package_missing'
  | 'driver_unavailable'
  | 'data_in_use'
  | 'data_unusable'
  | 'model_unusable'
  | 'restore_unfinished'
  | 'upgrade_not_copied'
  | 'unsafe_address'
  | 'address_in_use';

/** The service cannot start as configured. Never crosses the wire: the command line prints it with its hint, exit 78. */
export class StartupError extends Error {
  readonly code: StartupCode;
  readonly hint: string | undefined;

  constructor(code: StartupCode, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'StartupError';
    this.code = code;
    this.hint = options.hint;
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EEXIST: 'it exists already',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is no folder',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
};

/** What the system says about a path that somebody named is an answer to that person, and no failure of ours. */
export function fileError(path: string, verb: 'read' | 'written', error: unknown): unknown {
  if (!isSystemError(error)) return error;
  const { code = 'unknown reason' } = error;
  if (code === 'ENOENT' && verb === 'read') return new MemoryError('not_found', `The file ${path} does not exist`);
  const missing = code === 'ENOENT' ? 'its folder does not exist' : undefined;
  const reason = missing ?? reasons[code] ?? code;
  return new MemoryError('invalid_input', `The file ${path} cannot be ${verb}: ${reason}`, { cause: error });
}

/** Errors of the stores are translated where they arise; what else comes from a call of the system is about a file. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}
