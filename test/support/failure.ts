import { expect } from 'vitest';
import { type ErrorCode, MemoryError } from '../../src/model/errors.js';

/** Runs something that must fail the caller, and returns the failure. */
export function refusal(run: () => unknown): MemoryError {
  try {
    run();
  } catch (error) {
    if (error instanceof MemoryError) return error;
    throw error;
  }
  throw new Error('expected a MemoryError, but nothing was thrown');
}

/** The same for work that takes time. */
export async function refusalOf(work: Promise<unknown>): Promise<MemoryError> {
  const failure = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failure instanceof MemoryError) return failure;
  throw new Error('expected a MemoryError', { cause: failure });
}

export function expectRefusal(run: () => unknown, code: ErrorCode, path: string): void {
  const failure = refusal(run);
  expect({ code: failure.code, paths: failure.issues?.map((issue) => issue.path) }).toEqual({ code, paths: [path] });
}
