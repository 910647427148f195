import { MemoryError } from './errors.js';

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
