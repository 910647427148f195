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
 * Ends what is still being sent to a token that was revoked, expired or whose user was disabled, by any process. One
 * small read every half second while anything is being sent; every token is looked up only when accounts have changed.
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
    // A store that is away says nothing about tokens; the next look asks it again.
    look()
      .catch(() => undefined)
      .finally(() => {
        looking = false;
      });
  }

  function watch(principal: Principal, end: () => void): () => void {
    const key = {};
    open.set(key, { principal, end });
    // It may have been revoked between its check and now, so the first look asks for everybody.
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
     * The same answer, whose body ends when the token stops being valid. `breakOff` is for a file, of which half must not
     * look like the whole: it cuts the connection, and what is left of the body is an error.
     */
    guard(principal: Principal, response: Response, breakOff?: () => void): Response {
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
            // Who waits for the next part below is answered that there is none.
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

/** By this code the server knows that the connection is gone, which is nothing to report. */
function prematureEnd(): Error {
  return Object.assign(new Error('the token is no longer valid'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
}
