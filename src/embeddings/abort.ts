import { setMaxListeners } from 'node:events';

/** A signal that follows others until it is released; unlike `AbortSignal.any` it leaves nothing behind on them. */
export interface LinkedAbort {
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
  release(): void;
}

/** Aborts when one of `sources` does, with its reason, or when told to. Release it when the work is over. */
export function linkAbort(sources: readonly (AbortSignal | undefined)[]): LinkedAbort {
  const controller = new AbortController();
  const releases: (() => void)[] = [];
  for (const source of sources) {
    if (source === undefined) continue;
    const follow = () => controller.abort(source.reason);
    if (source.aborted) follow();
    // Many pieces of work may follow one closing; Node would call eleven of them a leak.
    setMaxListeners(0, source);
    source.addEventListener('abort', follow);
    releases.push(() => source.removeEventListener('abort', follow));
  }
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    release() {
      for (const release of releases) release();
    },
  };
}
