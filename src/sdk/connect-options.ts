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
