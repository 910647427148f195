/*
 * The options for connecting to a server, and the error when that fails.
 */

export interface ConnectOptions {
  /** The address of the server, such as `http://127.0.0.1:8000`. */
  url: string | URL;
  /** A bearer token, or a function that returns one for each call. */
  token?: string | (() => string | Promise<string>) | undefined;
  /** The default source of conversations. */
  source?: string | undefined;
  /** Sent with every request. */
  headers?: Record<string, string> | undefined;
  /** Replaces the global `fetch`. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

/** The server could not be reached, or another program responded in its place. */
export class ConnectionError extends Error {
  readonly code = 'connection_failed';
  /** The status of the response, if there was one. */
  readonly httpStatus: number | undefined;

  constructor(message: string, options: { cause?: unknown; httpStatus?: number } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ConnectionError';
    this.httpStatus = options.httpStatus;
  }
}
