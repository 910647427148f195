import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

const PATIENCE_MILLISECONDS = 30_000;

/** An unsuccessful response. Only the status is reported, because the body may repeat what was sent. */
class RestError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The service answered HTTP ${status}.`);
    this.name = 'RestError';
    this.status = status;
  }
}

export interface RestService {
  /** The JSON of the answer; throws RestError unless it is a success. */
  send(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<unknown>;
  /** The result of `work`, or `refused` when the service responds with a bad request. */
  unlessRefused<Result>(work: () => Promise<Result>): Promise<Result | 'refused'>;
}

/** JSON over HTTP for a service without an official client. */
export function restService(base: string, headers: Record<string, string>): RestService {
  return {
    async send(method, path, body) {
      const response = await fetch(base + path, {
        method,
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(PATIENCE_MILLISECONDS),
      });
      const text = await response.text();
      if (!response.ok) throw new RestError(response.status);
      return text === '' ? {} : JSON.parse(text);
    },

    async unlessRefused(work) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof RestError && error.status === 400) return 'refused';
        throw error;
      }
    },
  };
}

const WAIT_MILLISECONDS = 120_000;
const LONGEST_PAUSE = 2_000;

/**
 * Polls with growing pauses until the check passes: for services that complete a write or an index build later. Throws
 * after two minutes.
 */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + WAIT_MILLISECONDS;
  for (let pause = 20; !(await isSo()); pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    if (performance.now() > end) throw new Error(`Timed out waiting until ${what}.`);
    await delay(pause);
  }
}

/**
 * Encodes a text as hexadecimal UTF-8 bytes, for services whose filters split, fold or quote words: the result has no
 * special characters, and only equal texts are equal.
 */
export function opaque(text: string): string {
  return Buffer.from(text, 'utf8').toString('hex');
}

export function opaqueList(texts: readonly string[]): string[] {
  return texts.map(opaque);
}

/** Like `opaque`, but of fixed length: for services that truncate long words. */
export function digest(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex').slice(0, 40);
}
