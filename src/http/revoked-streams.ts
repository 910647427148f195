import type { Callers } from '../auth/callers.js';
import type { Principal } from '../model/access.js';
import { outsideRequests } from '../observability/request-context.js';

export type RevokedStreams = ReturnType<typeof createRevokedStreams>;

interface StreamParts {
  callers: Callers;
  now: () => number;
}

/** Half of the second within which a revoked token's streams end. */
const lookEvery = 500;

/**
 * Ends streams of tokens that were revoked or expired, or whose user was disabled, by any process. Costs one small read
 * every half second while a stream is open; tokens are looked up only when accounts have changed.
 */
export function createRevokedStreams({ callers, now }: StreamParts) {
  const open = new Map<object, { principal: Principal; end: () => void }>();
  let version: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let looking = false;

  async function look(): Promise<void> {
    for (const { principal, end } of [...open.values()]) {
      if (principal.expiresAt !== undefined && principal.expiresAt <= now()) end();
    }
    const current = await callers.version();
    if (current === version) return;
    const alive = new Map<string, Promise<boolean>>();
    for (const { principal, end } of [...open.values()]) {
      const { tokenId = '' } = principal;
      const known = alive.get(tokenId) ?? callers.stillKnown(principal);
      alive.set(tokenId, known);
      if (!(await known)) end();
    }
    version = current;
  }

  function tick(): void {
    if (looking) return;
    looking = true;
    // An unavailable store says nothing about tokens; the next check asks again.
    look()
      .catch(() => undefined)
      .finally(() => {
        looking = false;
      });
  }

  function watch(principal: Principal, end: () => void): () => void {
    const key = {};
    open.set(key, { principal, end });
    // The token may have been revoked since it was checked, so the first check looks up all tokens.
    version = undefined;
    timer ??= setInterval(() => outsideRequests(tick), lookEvery).unref();
    return () => {
      open.delete(key);
      if (open.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  }

  return {
    /**
     * Returns the response with a body that ends when the token becomes invalid. `breakOff` is for files, where a
     * partial body must not look complete: it cuts the connection and makes the rest of the body an error.
     */
    endOnRevocation(principal: Principal, response: Response, breakOff?: () => void): Response {
      if (principal.tokenId === undefined || response.body === null) return response;
      const reader = response.body.getReader();
      let unwatch = (): void => {};
      let ended = false;
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          unwatch = watch(principal, () => {
            unwatch();
            ended = true;
            breakOff?.();
            if (breakOff === undefined) controller.close();
            else controller.error(prematureEnd());
            // A pending read resolves as done.
            reader.cancel().catch(() => undefined);
          });
        },
        async pull(controller) {
          try {
            const { value, done } = await reader.read();
            if (ended) return;
            if (!done) return controller.enqueue(value);
            unwatch();
            controller.close();
          } catch (error) {
            unwatch();
            if (!ended) controller.error(error);
          }
        },
        cancel(reason) {
          unwatch();
          return reader.cancel(reason);
        },
      });
      return new Response(body, { status: response.status, headers: response.headers });
    },
  };
}

/** The server recognises this code as a lost connection, which is not reported. */
function prematureEnd(): Error {
  return Object.assign(new Error('the token is no longer valid'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
}
