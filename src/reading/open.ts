import { availableParallelism } from 'node:os';
import type { Reader, Reading, Window } from './contract.js';
import type { Reply, Request } from './protocol.js';
import { openThread, type ReadingThread, unavailable } from './thread.js';

/** A request that waits for the threads. */
interface Job {
  run: () => Promise<void>;
  fail: (error: unknown) => void;
}

/** Two threads halve the time of a question. Each holds the whole model, and more would take what the search needs. */
const mostThreads = 2;

/** Fewer windows than this are not worth a second thread. */
const fewestToShare = 4;

/**
 * The reading model in threads of its own, started by the first request. One request is worked on at a time, by all threads,
 * so that a question goes before the messages that wait to be tagged.
 */
export function openReader(
  path: string,
  { threads: count = Math.min(mostThreads, availableParallelism()) } = {},
): Reader {
  const threads = Array.from({ length: count }, () => openThread(path));
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

  /** The windows of a question, divided among the threads. */
  function parts(windows: readonly Window[]): Part[] {
    return divided(windows, windows.length < fewestToShare ? threads.slice(0, 1) : threads);
  }

  return {
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
    async rank(question, windows, { signal } = {}) {
      if (windows.length === 0) return [];
      return queued(questions, () => ranks(parts(windows), question, windows), signal);
    },
    async readChosen(question, windows, choose, { signal } = {}) {
      if (windows.length === 0) return [];
      return queued(
        questions,
        async () => {
          const shares = parts(windows);
          const chosen = new Set(choose(await ranks(shares, question, windows)));
          const found: (Reading | undefined)[] = windows.map(() => undefined);
          await Promise.all(
            shares.map(async ({ thread, places }) => {
              const wanted = places.flatMap((place, at) => (chosen.has(place) ? [{ place, at }] : []));
              if (wanted.length === 0) return;
              const readings = readingsOf(await thread.ask({ kind: 'finish', places: wanted.map(({ at }) => at) }));
              for (const [at, { place }] of wanted.entries()) found[place] = readings[at];
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

/** Some of the windows, by their places, for one thread. */
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

/** What the threads answer, in the order of the windows. */
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

/** The longest first, each to the thread with the least to do. */
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
