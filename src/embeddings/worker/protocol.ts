import type { StartupCode } from '../../model/errors.js';

/** To the worker: texts to embed. */
export interface Request {
  id: number;
  texts: string[];
}

/** From the worker: first that it is ready or cannot be, then one answer for each request. */
export type Reply<Ready> =
  | { kind: 'ready'; ready: Ready }
  | { kind: 'refused'; code: StartupCode; message: string; hint: string | undefined; cause: string }
  /** The vectors of the request, one after the other. */
  | { kind: 'vectors'; id: number; vectors: Float32Array }
  | { kind: 'failed'; id: number; cause: string };
