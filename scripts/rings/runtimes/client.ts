/*
 * The client of the library against a real server: the shared suite, then errors, pages, streams and aborts. Uses nothing of
 * Node, so that scripts/rings/runtimes.mjs can run it in Deno, Bun and a browser as well.
 */
import { ConnectionError, connectMemory, MemoryError } from 'threadkeep/client';
import { filled, run, type Step } from '../../../test/sdk/suite-calls.js';

export interface Report {
  passed: number;
  of: number;
  /** What went wrong, one line each. */
  failures: string[];
}

export async function checkClient(url: string, steps: Step[], { streams }: { streams: boolean }): Promise<Report> {
  const failures: string[] = [];
  const memory = connectMemory(url);

  const kept: Record<string, unknown> = {};
  for (const [index, { call, input, as = '', answer, error }] of steps.entries()) {
    const given = filled(input, kept) as Record<string, unknown>;
    const outcome = await run(memory, call, given).catch((failure: unknown) => failure);
    kept[as] = outcome;
    if (error !== undefined) {
      if (!(outcome instanceof MemoryError && outcome.code === error)) {
        failures.push(`${index + 1} ${call}: expected the error ${error}`);
      }
      continue;
    }
    const where = outcome instanceof Error ? outcome.name : difference(outcome, filled(answer, kept));
    if (where !== undefined) failures.push(`${index + 1} ${call}: ${where}`);
  }
  const passed = steps.length - failures.length;

  const checks: Record<string, () => Promise<boolean>> = {
    async 'errors have their code and the names of the fields'() {
      const error = await memory.search('  ').catch((failure: unknown) => failure);
      return error instanceof MemoryError && error.code === 'invalid_input' && error.issues?.[0]?.path === 'query';
    },
    async 'a server that is not there is a ConnectionError'() {
      const error = await connectMemory('http://127.0.0.1:9')
        .health()
        .catch((failure: unknown) => failure);
      return error instanceof ConnectionError && error.code === 'connection_failed';
    },
    async 'all pages are walked'() {
      for (let number = 1; number <= 7; number++) {
        const messages = [{ role: 'user', text: `Lighthouse keeper's note number ${number}` }];
        await memory.insert({ source: 'pages', timestamp: `2026-03-0${number}`, messages });
      }
      const ids = new Set<string>();
      for await (const hit of memory.searchAll({ query: 'lighthouse', source: 'pages', limit: 3 })) ids.add(hit.id);
      return ids.size === 7;
    },
    async 'an export streams, and ends early when its reader does'() {
      let whole = '';
      for await (const piece of memory.export({ source: 'pages' })) whole += piece;
      const pieces = memory.export({ source: 'pages' });
      const first = await pieces.next();
      await pieces.return?.();
      return whole.includes('note number 7') && first.done !== true && (await pieces.next()).done === true;
    },
    async 'a Blob is imported, with its progress told'() {
      const chats = [{ id: 'ferry', messages: [{ role: 'user', text: 'The ferry leaves at nine.' }] }];
      let read = 0;
      const onProgress = (progress: { read: number }): void => {
        read = progress.read;
      };
      const blob = new Blob([JSON.stringify(chats)]);
      const report = await memory.import(blob, { format: 'json', source: 'harbour' }, { onProgress });
      return report.imported === 1 && read <= report.read;
    },
    async 'a call stops with the reason of its signal'() {
      const reason = new Error('not needed any more');
      const before = await memory
        .search('ferry', { signal: AbortSignal.abort(reason) })
        .catch((error: unknown) => error);
      const controller = new AbortController();
      const asked = memory.ask('When does the ferry leave?', { signal: controller.signal });
      controller.abort(reason);
      const during = await asked.catch((error: unknown) => error);
      return before === reason && during === reason && (await memory.search('ferry')).status === 'ok';
    },
    async 'a closed memory refuses calls'() {
      await memory.close();
      return (await memory.search('ferry').catch((error: unknown) => error)) instanceof MemoryError;
    },
  };
  if (streams) {
    // Browsers send a stream only over HTTP/2, which the server does not speak.
    const sent = async (): Promise<boolean> => {
      async function* parts() {
        yield '[{ "id": "tram", "messages": ';
        yield '[{ "role": "user", "text": "The tram leaves at ten." }] }]';
      }
      return (await connectMemory(url).import(parts(), { format: 'json' })).imported === 1;
    };
    checks['an import streams'] = sent;
  }
  for (const [name, check] of Object.entries(checks)) {
    const holds = await check().catch((error: unknown) => String(error));
    if (holds !== true) failures.push(`${name}: ${holds}`);
  }
  return { passed, of: steps.length, failures };
}

/** Where `actual` lacks something of `expected`: fields of objects are a part, lists are whole. */
function difference(actual: unknown, expected: unknown, path = 'answer'): string | undefined {
  if (typeof expected !== 'object' || expected === null) return Object.is(actual, expected) ? undefined : path;
  if (typeof actual !== 'object' || actual === null) return path;
  if (Array.isArray(expected) && (!Array.isArray(actual) || actual.length !== expected.length)) return path;
  const fields = new Map(Object.entries(actual));
  for (const [name, each] of Object.entries(expected)) {
    const found = difference(fields.get(name), each, `${path}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
