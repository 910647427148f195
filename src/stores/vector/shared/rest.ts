const PATIENCE_MILLISECONDS = 30_000;

/** A response without success. Only the status is reported, because the body may repeat what was sent. */
class RestError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The service answered HTTP ${status}.`);
    this.name = 'RestError';
    this.status = status;
  }
}

export interface RestService {
  /** The JSON of the answer; throws RestError for anything but a success. */
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
