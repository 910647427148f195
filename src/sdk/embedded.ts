import { createHash, randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { principalOf } from '../app/by-hand.js';
import { openRuntime, type Runtime } from '../app/open-runtime.js';
import { runReindex } from '../app/reindex.js';
import { loadConfig } from '../config/load.js';
import { userFolders } from '../config/places.js';
import type { Config, ConfigInput } from '../config/schema.js';
import { isOurFault, MemoryError } from '../model/errors.js';
import type { Observer } from '../observability/observer.js';
import type { Call } from '../operations/operation.js';
import { operations } from '../operations/table.js';
import type { ImportData, Memory } from './memory.js';
import type { EmbeddedMemory, OpenOptions, ReindexInput, ReindexOptions, ReindexOutput } from './open-options.js';
import { type CallName, type Calls, memoryOver, type Transport } from './transport.js';
import type { AskOutput, ImportOutput, ImportsCreateOutput } from './wire.js';

export async function openEmbedded(options: OpenOptions): Promise<EmbeddedMemory> {
  const { config, observer } = await settle(options);
  const runtime = await openRuntime({ config, observer, purpose: 'command', reads: true });
  // No other process continues work that an earlier program queued without waiting for it.
  await runtime.service.imports?.resume();
  return {
    ...memoryOn(runtime, observer, options),
    reindex: (input = {}, run = {}) => runReindex(config, observer, reindexRequest(input, run)),
  };
}

/** The interface on stores that are already open; `bench/sdk.mjs` compares it with the operations themselves. */
export function memoryOn(runtime: Runtime, observer: Observer, options: OpenOptions): Memory {
  return memoryOver(operationsTransport(runtime, observer, options), options);
}

export async function reindexEmbedded(
  options: OpenOptions,
  input: ReindexInput,
  run: ReindexOptions,
): Promise<ReindexOutput> {
  const { config, observer } = await settle(options);
  return runReindex(config, observer, reindexRequest(input, run));
}

async function settle(options: OpenOptions): Promise<{ config: Config; observer: Observer }> {
  const { dataDir, config: file, settings = {}, onLog } = options;
  const data = dataDir === undefined ? undefined : resolve(dataDir);
  // If no memory is named, the user's own is used, as on the command line.
  const alone = data !== undefined || file !== undefined;
  const flags = { ...settings, ...(data === undefined ? {} : { paths: { ...pathsOf(settings), data_dir: data } }) };
  const { config } = await loadConfig({
    // A config.yaml of the working directory belongs to the program that runs there.
    cwd: file === undefined ? (data ?? process.cwd()) : process.cwd(),
    environment: alone ? {} : process.env,
    flags: flags as ConfigInput,
    ...(file === undefined ? {} : { file: resolve(file) }),
    ...(alone ? {} : { folders: userFolders() }),
  });
  const observer: Observer = {
    log: (level, event, fields = {}) => onLog?.({ level, event, fields: { ...fields } }),
    count() {},
    duration() {},
  };
  return { config, observer };
}

function pathsOf({ paths }: Record<string, unknown>): object {
  return typeof paths === 'object' && paths !== null ? paths : {};
}

function reindexRequest({ project_id, limit, include_inactive }: ReindexInput, { signal, onProgress }: ReindexOptions) {
  return {
    ...(project_id === undefined ? {} : { projectId: project_id }),
    ...(limit === undefined ? {} : { limit }),
    includeInactive: include_inactive === true,
    ...(onProgress === undefined
      ? {}
      : { onProgress: ({ done, total }: { done: number; total: number }) => onProgress({ done, total }) }),
    ...(signal === undefined ? {} : { signal }),
  };
}

/** Runs each call as the same operation as the HTTP and MCP adapters. */
function operationsTransport(runtime: Runtime, observer: Observer, { token }: OpenOptions): Transport {
  const { service, health } = runtime;

  /** The token is looked up for each call, so that revoking it takes effect at once. */
  const callOf = (signal: AbortSignal | undefined, defaultSource: string): Call | Promise<Call> => {
    const rest = signal === undefined ? { defaultSource } : { defaultSource, signal };
    const principal = principalOf(runtime, token);
    return principal instanceof Promise
      ? principal.then((found) => ({ principal: found, ...rest }))
      : { principal, ...rest };
  };

  /** Unexpected errors are reported as over HTTP: a fixed message, with the cause attached. */
  const errorOf = (error: unknown): MemoryError => {
    if (isOurFault(error)) observer.log('error', 'library_call_failed', {}, error);
    if (error instanceof MemoryError) return error;
    return new MemoryError('internal_error', 'Something went wrong inside the memory; see the cause', {
      cause: error,
    });
  };

  const told = async <T>(run: () => Promise<T>): Promise<T> => {
    try {
      return await run();
    } catch (error) {
      throw errorOf(error);
    }
  };

  /** Every call passes through here, so it waits only for the operation and the token lookup. */
  const execute = async (name: CallName, input: unknown, signal: AbortSignal | undefined): Promise<object> => {
    try {
      const call = callOf(signal, 'unknown');
      return await operations[name].execute(service, call instanceof Promise ? await call : call, input);
    } catch (error) {
      throw errorOf(error);
    }
  };

  return {
    call<Name extends CallName>(name: Name, input: Calls[Name]['input'], signal: AbortSignal | undefined) {
      return abortable(signal, () => execute(name, input, signal)) as Promise<Calls[Name]['output']>;
    },

    askAloud(input, { signal, onSentence }) {
      const run = async () => {
        const call = await callOf(signal, 'unknown');
        return operations.ask.execute(service, { ...call, ...(onSentence === undefined ? {} : { onSentence }) }, input);
      };
      return abortable(signal, () => told(run)) as Promise<AskOutput>;
    },

    async *export(input, signal) {
      signal?.throwIfAborted();
      const { pieces } = await told(async () =>
        operations.export.execute(service, await callOf(signal, 'unknown'), input),
      );
      try {
        for (;;) {
          const next = await abortable(signal, () => told(() => pieces.next()));
          if (next.done === true) return;
          yield next.value.text;
        }
      } finally {
        await pieces.return(undefined);
      }
    },

    import(data, { filename = '', ...fields }, { signal, onProgress }) {
      return abortable(signal, async () => {
        // A zip is read from its end, so streamed content is first saved to a file that only we can read.
        const path = join(tmpdir(), `threadkeep-upload-${randomUUID()}${endingOf(filename)}`);
        try {
          await writeFile(path, partsOf(data), {
            mode: 0o600,
            flag: 'wx',
            ...(signal === undefined ? {} : { signal }),
          });
          const file = {
            path,
            ...(signal === undefined ? {} : { signal }),
            ...(onProgress === undefined ? {} : { onProgress }),
          };
          const call = await callOf(signal, 'import');
          return (await told(() => operations.import.execute(service, call, { ...fields, file }))) as ImportOutput;
        } finally {
          await rm(path, { force: true });
        }
      });
    },

    createImport(data, { filename, ...fields }, { signal }) {
      return abortable(signal, async () => {
        const ending = endingOf(filename ?? '');
        const path = join(tmpdir(), `threadkeep-upload-${randomUUID()}${ending}`);
        try {
          const digest = createHash('sha256');
          let bytes = 0;
          const measured = async function* (): AsyncGenerator<Uint8Array> {
            for await (const part of buffersOf(data)) {
              digest.update(part);
              bytes += part.length;
              yield part;
            }
          };
          await writeFile(path, measured(), { mode: 0o600, flag: 'wx', ...(signal === undefined ? {} : { signal }) });
          const named = filename === undefined ? {} : { filename };
          const file = { path, ending, digest: digest.digest('hex'), bytes, ...named };
          const call = await callOf(signal, 'import');
          return (await told(() =>
            operations.imports_create.execute(service, call, { ...fields, file }),
          )) as ImportsCreateOutput;
        } finally {
          // Does nothing if a job has taken over the file.
          await rm(path, { force: true });
        }
      });
    },

    status: (page, signal) => abortable(signal, async () => (page === 'health' ? health.live() : health.ready())),

    close: runtime.close,
  };
}

/** Rejects with the signal's reason as soon as it aborts. Data that the work has stored by then stays stored. */
function abortable<T>(signal: AbortSignal | undefined, run: () => Promise<T>): Promise<T> {
  if (signal === undefined) return run();
  return new Promise<T>((settled, reject) => {
    signal.throwIfAborted();
    const stop = (): void => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    run()
      .then(settled, reject)
      .finally(() => signal.removeEventListener('abort', stop));
  });
}

/** The file extensions that importers recognise; everything else is read as JSON or JSON lines. */
const endings = new Set(['.json', '.jsonl', '.ndjson', '.csv', '.zip', '.vscdb', '.db']);

function endingOf(filename: string): string {
  const ending = extname(filename).toLowerCase();
  return endings.has(ending) ? ending : '.json';
}

async function* buffersOf(data: ImportData): AsyncGenerator<Uint8Array> {
  const parts = partsOf(data);
  if (typeof parts === 'string' || parts instanceof Uint8Array) yield Buffer.from(parts);
  else for await (const part of parts) yield Buffer.from(part);
}

function partsOf(data: ImportData) {
  if (data instanceof Blob) return data.stream() as AsyncIterable<Uint8Array>;
  return data as string | Uint8Array | AsyncIterable<string | Uint8Array>;
}
