import { setMaxListeners } from 'node:events';

/**
 * A signal that follows others until it is released. Unlike `AbortSignal.any`, it leaves no listeners behind on them.
 */
export interface LinkedAbort {
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
  release(): void;
}

/** Aborts when one of `sources` does, with its reason, or on request. Release it when the work is done. */
export function linkAbort(sources: readonly (AbortSignal | undefined)[]): LinkedAbort {
  const controller = new AbortController();
  const releases: (() => void)[] = [];
  for (const source of sources) {
    if (source === undefined) continue;
    const follow = () => controller.abort(source.reason);
    if (source.aborted) follow();
    // Many calls may follow one closing signal; Node warns about a leak from the eleventh listener on.
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
