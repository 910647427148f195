import type { Around } from '../../src/app/dependencies.js';

/** A model that answers its first question only when it is told to. */
export function aSlowModel() {
  const { promise: asked, resolve: ask } = aPromise();
  const { promise: answered, resolve: answer } = aPromise();
  let first = true;
  const around: Around = {
    embedder: (embedder) => ({
      ...embedder,
      async embed(texts, options) {
        const waits = first;
        first = false;
        ask();
        if (waits) await answered;
        return embedder.embed(texts, options);
      },
    }),
  };
  return { around, asked, answer };
}

function aPromise(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
