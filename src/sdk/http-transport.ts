import { type ErrorCode, type Issue, MemoryError } from '../model/errors.js';
import { ConnectionError, type ConnectOptions } from './connection.js';
import type { HealthReport, ImportData, ImportOptions } from './memory.js';
import { type CallName, type Calls, paths, type Transport } from './transport.js';
import type { AnswerSentence, AskOutput, ExportInput, ImportOutput, ImportsCreateOutput } from './wire.js';

type Fields = Record<string, unknown>;

/** Sends each call as one request; needs only `fetch`. */
export function httpTransport(options: ConnectOptions): Transport {
  const base = String(options.url).replace(/\/+$/, '');
  const { origin } = new URL(base);

  async function send(path: string, init: RequestInit & { duplex?: 'half' }): Promise<Response> {
    const { token, headers, fetch: given } = options;
    const proof = typeof token === 'function' ? await token() : token;
    const asked: RequestInit = {
      ...init,
      headers: {
        ...headers,
        ...(proof === undefined ? {} : { authorization: `Bearer ${proof}` }),
        ...(init.headers as Record<string, string>),
      },
    };
    return reaching(init.signal, () => (given ?? fetch)(`${base}${path}`, asked));
  }

  /** Rethrows an abort with its reason; any other error means that the connection failed. */
  async function reaching<T>(signal: AbortSignal | null | undefined, run: () => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    try {
      return await run();
    } catch (cause) {
      if (signal?.aborted === true) throw signal.reason;
      throw new ConnectionError(`No response from ${origin}; check that the server is running and reachable`, {
        cause,
      });
    }
  }

  async function answerOf<Output extends object>(response: Response, signal: AbortSignal | undefined): Promise<Output> {
    const text = await reaching(signal, () => response.text());
    const body = parsed(text);
    if (body?.status === 'error' && typeof body.error_code === 'string') throw errorOf(body);
    if (body === undefined) throw unexpected(response);
    return outputOf(body);
  }

  function unexpected({ status }: Response): ConnectionError {
    return new ConnectionError(`The server at ${origin} is not Threadkeep (HTTP ${status})`, { httpStatus: status });
  }

  return {
    async call<Name extends CallName>(name: Name, input: Calls[Name]['input'], signal: AbortSignal | undefined) {
      const [method = '', pattern = ''] = paths[name].split(' ');
      const isPost = method === 'POST';
      const { path, rest } = addressOf(pattern, input);
      const response = await send(isPost ? path : `${path}${queryOf(rest)}`, {
        method,
        ...(isPost ? { body: JSON.stringify(rest), headers: { 'content-type': 'application/json' } } : {}),
        ...(signal === undefined ? {} : { signal }),
      });
      return answerOf<Calls[Name]['output']>(response, signal);
    },

    async askAloud(input, { signal, onSentence }) {
      const response = await send('/memory/ask', {
        method: 'POST',
        body: JSON.stringify(input),
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        ...(signal === undefined ? {} : { signal }),
      });
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
      // A failure, or an older server that does not stream answers.
      if (!isStream || response.body === null) return answerOf<AskOutput>(response, signal);
      let name = '';
      for await (const line of linesOf(response.body, (run) => reaching(signal, run))) {
        if (line.startsWith('event: ')) name = line.slice('event: '.length);
        if (!line.startsWith('data: ')) continue;
        const data = parsed(line.slice('data: '.length));
        if (data === undefined) throw unexpected(response);
        if (name === 'error') throw errorOf(data);
        if (name === 'answer') return outputOf<AskOutput>(data);
        if (name === 'sentence') onSentence?.(outputOf<AnswerSentence>(data));
      }
      throw new ConnectionError(`The response from ${origin} was interrupted; ask again`);
    },

    async *export(input: ExportInput, signal) {
      const response = await send(`/memory/export${queryOf(input)}`, signal === undefined ? {} : { signal });
      if (!response.ok) await answerOf(response, signal);
      if (response.body === null) throw unexpected(response);
      const reader = response.body.getReader();
      const decoder = new TextDecoder();
      try {
        for (;;) {
          const { done, value } = await reaching(signal, () => reader.read());
          const text = decoder.decode(value, { stream: !done });
          if (text !== '') yield text;
          if (done) return;
        }
      } finally {
        // A reader that stops early closes the connection; after an error there is nothing left to cancel.
        await reader.cancel().catch(() => undefined);
      }
    },

    async import(data, { filename, ...fields }, { signal, onProgress }: ImportOptions) {
      const response = await send(`/memory/import${queryOf({ ...fields, filename })}`, {
        method: 'POST',
        body: bodyOf(data),
        duplex: 'half',
        headers: {
          'content-type': 'application/octet-stream',
          ...(onProgress === undefined ? {} : { accept: 'application/x-ndjson' }),
        },
        ...(signal === undefined ? {} : { signal }),
      });
      if (onProgress === undefined || !response.ok || response.body === null) {
        return answerOf<ImportOutput>(response, signal);
      }
      let last: Fields = {};
      for await (const line of linesOf(response.body, (run) => reaching(signal, run))) {
        last = parsed(line) ?? {};
        if (last.type === 'progress') onProgress({ read: Number(last.read) });
      }
      const { type, ...report } = last;
      if (type === 'error') throw errorOf(report);
      if (type !== 'report')
        throw new ConnectionError(`The response from ${origin} was interrupted; send the import again`);
      return outputOf<ImportOutput>(report);
    },

    async createImport(data, fields, { signal }) {
      const response = await send(`/memory/imports${queryOf(fields)}`, {
        method: 'POST',
        body: bodyOf(data),
        duplex: 'half',
        headers: { 'content-type': 'application/octet-stream' },
        ...(signal === undefined ? {} : { signal }),
      });
      return answerOf<ImportsCreateOutput>(response, signal);
    },

    async status(page, signal) {
      const response = await send(`/${page}`, signal === undefined ? {} : { signal });
      return answerOf<HealthReport>(response, signal);
    },

    async close() {},
  };
}

function parsed(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
  } catch {
    // Not JSON: the caller decides what that means.
    return undefined;
  }
}

/** The server builds its answers from the schemas that these types are generated from, so they are not checked again. */
function outputOf<Output extends object>(body: Fields): Output {
  return body as Output;
}

/** The server's error with its code, message, issues and other fields such as `request_id`. */
function errorOf(body: Fields): MemoryError {
  const { status: _, detail: __, error_code, error_message, issues, ...rest } = body;
  const fields = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)]));
  return new MemoryError(error_code as ErrorCode, String(error_message), {
    ...(issues === undefined ? {} : { issues: issues as Issue[] }),
    fields,
  });
}

/** The path with its parameters filled in, and the remaining input. */
function addressOf(pattern: string, input: unknown): { path: string; rest: object } {
  const fields = input as Fields;
  const names = [...pattern.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
  if (names.length === 0) return { path: pattern, rest: fields };
  const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(fields[name])));
  return { path, rest: Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name))) };
}

function queryOf(fields: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const each of Array.isArray(value) ? value : [value]) if (each !== undefined) query.append(name, String(each));
  }
  return query.size === 0 ? '' : `?${query}`;
}

/** Data that `fetch` can send directly is passed through, because browsers send streams only over HTTP/2. */
function bodyOf(data: ImportData): NonNullable<RequestInit['body']> {
  if (typeof data === 'string' || data instanceof Blob || data instanceof ReadableStream) return data;
  if (data instanceof Uint8Array) return data as Uint8Array<ArrayBuffer>;
  const encoder = new TextEncoder();
  const parts = Symbol.asyncIterator in data ? data[Symbol.asyncIterator]() : data[Symbol.iterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await parts.next();
      if (next.done === true) controller.close();
      else controller.enqueue(typeof next.value === 'string' ? encoder.encode(next.value) : next.value);
    },
    async cancel() {
      await parts.return?.();
    },
  });
}

async function* linesOf(
  body: ReadableStream<Uint8Array>,
  reading: <T>(run: () => Promise<T>) => Promise<T>,
): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reading(() => reader.read());
    const lines = (rest + decoder.decode(value, { stream: !done })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line !== '');
    if (done) break;
  }
  if (rest !== '') yield rest;
}
