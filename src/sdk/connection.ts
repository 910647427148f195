/*
 * What a program hands over to connect to a server, and what it gets when that fails.
 */

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

/** The server was not reached, or something else answered in its place. */
export class ConnectionError extends Error {
  readonly code = 'connection_failed';
  /** Of the answer, where there was one. */
  readonly httpStatus: number | undefined;

  constructor(message: string, options: { cause?: unknown; httpStatus?: number } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ConnectionError';
    this.httpStatus = options.httpStatus;
  }
}
