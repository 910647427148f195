import { httpTransport } from './http-transport.js';
import type { Memory } from './memory.js';
import { memoryOver } from './memory-over.js';

export type { ErrorCode, Issue } from '../model/errors.js';
export { MemoryError } from '../model/errors.js';
export { ConnectionError } from './connection-error.js';
export type * from './memory.js';
// The shapes of every input and answer; each has a name of its own, so nothing hides behind the star.
export type * from './wire.js';

export interface ConnectOptions {
  /** Where the server is, such as `http://127.0.0.1:8000`. */
  url: string | URL;
  /** A bearer token, or a function that gives one for each call. */
  token?: string | (() => string | Promise<string>) | undefined;
  /** Of conversations that name no source. */
  source?: string | undefined;
  /** Sent with every request. */
  headers?: Record<string, string> | undefined;
  /** In place of the global `fetch`. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

/** The memory of a server. Nothing is sent before the first call. */
export function connectMemory(options: string | URL | ConnectOptions): Memory {
  const given = typeof options === 'string' || options instanceof URL ? { url: options } : options;
  return memoryOver(httpTransport(given), { source: given.source });
}
