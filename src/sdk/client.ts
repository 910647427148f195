import type { ConnectOptions } from './connection.js';
import { httpTransport } from './http-transport.js';
import type { Memory } from './memory.js';
import { memoryOver } from './transport.js';

export type { ErrorCode, Issue } from '../model/errors.js';
export { MemoryError } from '../model/errors.js';
export type { ConnectOptions } from './connection.js';
export { ConnectionError } from './connection.js';
export type * from './memory.js';
// The types of all inputs and results. Their names are distinct, so the wildcard export hides nothing.
export type * from './wire.js';

/** The memory of a server. Nothing is sent before the first call. */
export function connectMemory(options: string | URL | ConnectOptions): Memory {
  const given = typeof options === 'string' || options instanceof URL ? { url: options } : options;
  return memoryOver(httpTransport(given), { source: given.source });
}
