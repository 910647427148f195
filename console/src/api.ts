import { token } from './session.js';
import { t } from './strings/text.js';

/** What went wrong, in the words of the service. */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status: number) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
  }
}

export interface Options {
  signal?: AbortSignal;
  /** Continues after the page is closed (`keepalive`). */
  keepalive?: boolean;
}

/** One call of the service. Only JSON goes in and out, so that no other site can make it in the person's name. */
export async function post<Answer>(path: string, body: object, options: Options = {}): Promise<Answer> {
  return answerOf<Answer>(
    await reach(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...authorization() },
      body: JSON.stringify(body),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      ...(options.keepalive ? { keepalive: true } : {}),
    }),
  );
}

export async function get<Answer>(path: string, options: Options = {}): Promise<Answer> {
  const signal = options.signal === undefined ? {} : { signal: options.signal };
  return answerOf<Answer>(await reach(path, { headers: authorization(), ...signal }));
}

/** Browsers describe an unreachable server in their own words, in English only. */
export async function reach(path: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(path, request);
  } catch (error) {
    throw request.signal?.aborted ? error : new Error(t('unreachable'), { cause: error });
  }
}

export function authorization(): Record<string, string> {
  const value = token();
  return value === undefined ? {} : { authorization: `Bearer ${value}` };
}

export async function answerOf<Answer>(response: Response): Promise<Answer> {
  const body: unknown = await response.json().catch(() => undefined);
  // A service that is not ready says so with 503 and a report worth showing.
  const report = typeof body === 'object' && body !== null && 'mode' in body;
  if (response.ok || report) return body as Answer;
  const { error_code = 'internal_error', error_message = response.statusText } = (body ?? {}) as Record<string, string>;
  if (response.status === 401) dispatchEvent(new CustomEvent('threadkeep:signed-out'));
  throw new ApiError(error_code, error_message, response.status);
}

/** How many results to ask for at a time, within what this service allows. */
export function atMost(wanted: number): number {
  const allowed = Number(document.documentElement.dataset.mostResults);
  return allowed >= 1 ? Math.min(wanted, allowed) : wanted;
}
