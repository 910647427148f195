/**
 * Every error a caller can see has one of these codes; the table gives its presentation in each adapter. `message` and
 * `issues` are public and never contain user content or secrets; `cause` is only logged.
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
  conflict: { http: 409, exit: 1 },
  payload_too_large: { http: 413, exit: 1 },
  unsupported_media_type: { http: 415, exit: 1 },
  rate_limited: { http: 429, exit: 1 },
  embedding_unavailable: { http: 503, exit: 3 },
  vector_unavailable: { http: 503, exit: 3 },
  metadata_unavailable: { http: 503, exit: 3 },
  internal_error: { http: 500, exit: 3 },
} as const satisfies Record<string, { http: number; exit: number }>;

export type ErrorCode = keyof typeof errorFaces;

/** One problem with the input: its path and what is allowed, never the value itself. */
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

/** True when the service failed, not its caller: every adapter logs such an error with its causes. */
export function isOurFault(error: unknown): boolean {
  return !(error instanceof MemoryError) || errorFaces[error.code].http >= 500;
}

/** Invalid input at `path`; the message includes the path so that it makes sense on its own. */
export function invalidInput(path: string, message: string): MemoryError {
  return refusedAt('invalid_input', path, message);
}

/** The value at `path` is valid, but what is stored does not allow it. */
export function conflictAt(path: string, message: string): MemoryError {
  return refusedAt('conflict', path, message);
}

/** The value at `path` is valid, but names nothing that exists. */
export function notFoundAt(path: string, message: string): MemoryError {
  return refusedAt('not_found', path, message);
}

function refusedAt(code: ErrorCode, path: string, message: string): MemoryError {
  return new MemoryError(code, path === '' ? message : `${path} ${message}`, { issues: [{ path, message }] });
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

/**
 * The service cannot start with this configuration. Never sent to clients: the command line prints it with its hint and
 * exits with 78.
 */
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
  EEXIST: 'it already exists',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is not a folder',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
};

/** Turns a system error about a path that the user named into an error for that user, because it is not our failure. */
export function fileError(path: string, verb: 'read' | 'written', error: unknown): unknown {
  if (!isSystemError(error)) return error;
  const { code = 'unknown reason' } = error;
  if (code === 'ENOENT' && verb === 'read') return new MemoryError('not_found', `The file ${path} does not exist`);
  const missing = code === 'ENOENT' ? 'its folder does not exist' : undefined;
  const reason = missing ?? reasons[code] ?? code;
  return new MemoryError('invalid_input', `The file ${path} cannot be ${verb}: ${reason}`, { cause: error });
}

/** Store errors are translated where they arise; any other system error is about a file. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}
