/** Counts the answers under way, so that a shutdown and the expiry of sessions wait for them. */
export function createExchanges() {
  let open = 0;
  let waiting: (() => void)[] = [];

  function ended(): void {
    open -= 1;
    if (open > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  }

  return {
    begin(): () => void {
      open += 1;
      return once(ended);
    },

    /** Resolves when no answer is under way. */
    idle(): Promise<void> {
      return open === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve));
    },
  };
}

/** Calls back once when the body was sent whole or the client is gone. */
export function whenSent(response: Response, callBack: () => void): Response {
  const done = once(callBack);
  if (response.body === null) {
    done();
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done: isEnd } = await reader.read();
        if (!isEnd) return controller.enqueue(value);
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      done();
    },
    cancel(reason) {
      done();
      return reader.cancel(reason);
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
}

function once(run: () => void): () => void {
  let ran = false;
  return () => {
    if (ran) return;
    ran = true;
    run();
  };
}
