import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { MemoryError } from '../model/errors.js';
import type { RankedReading, Reader, Reading, TaggedFact, Window } from './contract.js';

/*
 * Runs the reading model in worker threads: starting them, and the messages to and from each.
 */

/** A queued request. */
interface Job {
  run: () => Promise<void>;
  fail: (error: unknown) => void;
}

/** Two threads halve the time per question. Each holds the whole model, and more would take CPU from search. */
const mostThreads = 2;

/**
 * A thread without requests for this long is ended, and the next request starts another. One that has read takes about
 * 120 MiB; opening the model again costs half a second of processor time.
 */
const idleMilliseconds = 300_000;

/** Fewer windows than this are not worth a second thread. */
const fewestToShare = 4;

/**
 * Opens the reading model in worker threads, which start with the first request. All threads work on one request at a
 * time, so that a question overtakes the messages waiting to be tagged.
 */
export function openReader(
  path: string,
  {
    threads: count = Math.min(mostThreads, availableParallelism()),
    idleMs = idleMilliseconds,
    cache,
  }: { threads?: number; idleMs?: number; cache?: string | undefined } = {},
): Reader {
  const threads = Array.from({ length: count }, () => openThread({ path, cache }, idleMs));
  const questions: Job[] = [];
  const messages: Job[] = [];
  let current: Job | undefined;
  let isClosed = false;

  async function next(): Promise<void> {
    if (current !== undefined) return;
    current = questions.shift() ?? messages.shift();
    if (current === undefined) return;
    await current.run();
    current = undefined;
    await next();
  }

  function queued<Result>(queue: Job[], work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    if (isClosed) throw unavailable();
    return new Promise((settle, fail) => {
      const job = { run: () => work().then(settle, fail), fail };
      const abort = (): void => {
        const at = queue.indexOf(job);
        if (at >= 0) queue.splice(at, 1);
        fail(signal?.reason);
      };
      signal?.addEventListener('abort', abort, { once: true });
      queue.push(job);
      void next();
    });
  }

  async function vectors(queue: Job[], request: Request, signal?: AbortSignal): Promise<Int8Array[]> {
    const [thread] = threads;
    if (thread === undefined) throw unavailable();
    const reply = await queued(queue, () => thread.ask(request), signal);
    if (reply.kind !== 'vectors') throw unavailable();
    return reply.vectors;
  }

  /** Divides the windows of a question among the threads. */
  function parts(windows: readonly Window[]): Part[] {
    return divided(windows, windows.length < fewestToShare ? threads.slice(0, 1) : threads);
  }

  return {
    prepare() {
      threads[0]?.prepare();
    },
    async read(question, windows, { signal } = {}) {
      if (windows.length === 0) return [];
      return queued(
        questions,
        () =>
          gather(parts(windows), windows.length, async ({ thread, places }) => {
            const reply = await thread.ask({ kind: 'read', question, windows: pick(windows, places) });
            return readingsOf(reply);
          }),
        signal,
      );
    },
    async readChosen(question, windows, choose, { signal } = {}) {
      if (windows.length === 0) return [];
      return queued(
        questions,
        async () => {
          const shares = parts(windows);
          const scores = await ranks(shares, question, windows);
          const chosen = new Set(choose(scores));
          const found: RankedReading[] = scores.map((rank) => ({ rank }));
          await Promise.all(
            shares.map(async ({ thread, places }) => {
              const wanted = places.flatMap((place, at) => (chosen.has(place) ? [{ place, at }] : []));
              if (wanted.length === 0) return;
              const readings = readingsOf(await thread.ask({ kind: 'finish', places: wanted.map(({ at }) => at) }));
              for (const [at, { place }] of wanted.entries()) {
                const [rank, reading] = [scores[place], readings[at]];
                if (rank !== undefined && reading !== undefined) found[place] = { rank, reading };
              }
            }),
          );
          return found;
        },
        signal,
      );
    },
    async tag(message, before) {
      const [thread] = threads;
      if (thread === undefined) throw unavailable();
      const reply = await queued(messages, () => thread.ask({ kind: 'tag', message, before }));
      if (reply.kind !== 'tag') throw unavailable();
      return reply.facts;
    },
    async questionVector(question, { signal } = {}) {
      const [vector] = await vectors(questions, { kind: 'question', question }, signal);
      if (vector === undefined) throw unavailable();
      return vector;
    },
    async messageVectors(told) {
      return told.length === 0 ? [] : vectors(messages, { kind: 'messages', messages: told });
    },
    async close() {
      isClosed = true;
      for (const { fail } of [...questions.splice(0), ...messages.splice(0)]) fail(unavailable());
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

/** The windows for one thread, by index. */
interface Part {
  thread: ReadingThread;
  places: number[];
}

function ranks(shares: readonly Part[], question: string, windows: readonly Window[]): Promise<number[]> {
  return gather(shares, windows.length, async ({ thread, places }) => {
    const reply = await thread.ask({ kind: 'rank', question, windows: pick(windows, places) });
    if (reply.kind !== 'rank') throw unavailable();
    return reply.scores;
  });
}

/** Collects the threads' results in the order of the windows. */
async function gather<Result>(
  shares: readonly Part[],
  count: number,
  ask: (part: Part) => Promise<readonly Result[]>,
): Promise<Result[]> {
  const answers = await Promise.all(shares.map(async (part) => ({ places: part.places, made: await ask(part) })));
  const byPlace = new Map(
    answers.flatMap(({ places, made }) => places.map((place, at): [number, Result | undefined] => [place, made[at]])),
  );
  return Array.from({ length: count }, (_, place) => {
    const result = byPlace.get(place);
    if (result === undefined) throw unavailable();
    return result;
  });
}

/** Longest windows first, each to the thread with the least work. */
function divided(windows: readonly Window[], threads: readonly ReadingThread[]): Part[] {
  const shares = threads.map((thread) => ({ thread, places: [] as number[], work: 0 }));
  const workOf = ({ before, message, after }: Window): number =>
    message.text.length + Math.min(120, before?.text.length ?? 0) + Math.min(80, after?.text.length ?? 0);
  const byWork = windows
    .map((window, place) => ({ place, work: workOf(window) }))
    .sort((one, other) => other.work - one.work);
  for (const { place, work } of byWork) {
    const [least] = shares.toSorted((one, other) => one.work - other.work);
    if (least === undefined) continue;
    least.places.push(place);
    least.work += work;
  }
  return shares.filter(({ places }) => places.length > 0);
}

function pick(windows: readonly Window[], places: readonly number[]): Window[] {
  return places.flatMap((place) => windows[place] ?? []);
}

function readingsOf(reply: Reply): Reading[] {
  if (reply.kind !== 'read') throw unavailable();
  return reply.readings;
}

/** One worker thread that runs the reading model. */
interface ReadingThread {
  /** Replies in the order of the requests. Rejects when the thread exits first or cannot handle the request. */
  ask(request: Request): Promise<Reply>;
  /** Starts it before the first request. */
  prepare(): void;
  close(): Promise<void>;
}

/**
 * A thread that starts with its first request and ends when it is idle. It does not keep an idle process alive. If it
 * dies, its open requests fail and the next request starts another thread.
 */
function openThread(place: ModelPlace, idleMs: number): ReadingThread {
  interface Waiting {
    settle: (reply: Reply) => void;
    fail: (error: unknown) => void;
  }
  let waiting: Waiting[] = [];
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;

  /** The next request starts another thread at once, even while this one is ending. */
  function retire(worker: Worker): void {
    if (thread === worker) thread = undefined;
    void worker.terminate();
  }

  function started(): Worker {
    if (thread !== undefined) return thread;
    const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: place });
    worker.on('message', (reply: Reply) => {
      const first = waiting.shift();
      if (waiting.length === 0) {
        worker.unref();
        idle = setTimeout(() => retire(worker), idleMs).unref();
      }
      if (reply.kind === 'failed') first?.fail(unavailable());
      else first?.settle(reply);
    });
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      // A retired thread had answered everything; what waits now belongs to its successor.
      if (thread !== worker) return;
      thread = undefined;
      const left = waiting;
      waiting = [];
      for (const { fail } of left) fail(unavailable());
    });
    thread = worker;
    return worker;
  }

  return {
    prepare() {
      if (waiting.length === 0) started().unref();
    },
    ask(request) {
      return new Promise((settle, fail) => {
        clearTimeout(idle);
        waiting.push({ settle, fail });
        const worker = started();
        // Keep the process alive while a request is open.
        worker.ref();
        worker.postMessage(request);
      });
    },
    async close() {
      clearTimeout(idle);
      await thread?.terminate();
    },
  };
}

function unavailable(): MemoryError {
  return new MemoryError('internal_error', 'The reading model stopped before it answered.');
}

/** What a thread is started with: the model file, and a folder for its unpacked copy, if there may be one. */
export interface ModelPlace {
  path: string;
  cache: string | undefined;
}

export type Request =
  | { kind: 'read'; question: string; windows: readonly Window[] }
  | { kind: 'rank'; question: string; windows: readonly Window[] }
  /** Reads some of the windows that the previous request ranked. */
  | { kind: 'finish'; places: readonly number[] }
  | { kind: 'tag'; message: string; before: string }
  | { kind: 'question'; question: string }
  | { kind: 'messages'; messages: readonly Omit<Window, 'after'>[] };

export type Reply =
  | { kind: 'read'; readings: Reading[] }
  | { kind: 'rank'; scores: number[] }
  | { kind: 'tag'; facts: TaggedFact[] }
  | { kind: 'vectors'; vectors: Int8Array[] }
  | { kind: 'failed'; message: string };
