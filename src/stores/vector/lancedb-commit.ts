import { setTimeout as pause } from 'node:timers/promises';

const ATTEMPTS = 10;

/**
 * Runs a write again when another writer committed first. Only conflicts that LanceDB itself calls retryable: nothing
 * of the lost attempt is in the table then.
 */
export async function committed<Result>(write: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (attempt === ATTEMPTS || !isRetryable(error)) throw error;
      // Unequal waits, so that two writers do not meet again.
      await pause(Math.random() * 10 * attempt);
    }
  }
}

/** A table that another process is making at this moment has a name before it can be opened. */
export async function whenMade<Result>(open: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await open();
    } catch (error) {
      if (attempt === ATTEMPTS || !/was not found/i.test(messageOf(error))) throw error;
      await pause(10 * attempt);
    }
  }
}

/** For background work: a lost race leaves the table as good as it was, and the next round tries again. */
export async function unlessOvertaken(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (isConflict(error)) return false;
    throw error;
  }
}

function isRetryable(error: unknown): boolean {
  return /retryable commit conflict|too many concurrent writers/i.test(messageOf(error));
}

function isConflict(error: unknown): boolean {
  return isRetryable(error) || /commit conflict|incompatible transaction/i.test(messageOf(error));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}
