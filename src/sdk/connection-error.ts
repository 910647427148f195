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
