import { useRef } from 'preact/hooks';

type Call<Answer> = (signal: AbortSignal) => Promise<Answer>;

/** The longest wait for a response that is no longer needed. */
const patience = 400;

/**
 * One call after the other: typing fast does not pile up work that the service would do for nothing. Who waited for a turn
 * and is not wanted any more goes away without asking.
 */
export function useTurns<Answer>(): (call: Call<Answer>) => Call<Answer> {
  const running = useRef<Promise<unknown>>(Promise.resolve());
  return (call) => async (signal) => {
    await Promise.race([running.current, new Promise((resolve) => setTimeout(resolve, patience))]);
    signal.throwIfAborted();
    const answer = call(signal);
    // The caller already gets its failure.
    running.current = answer.catch(() => undefined);
    return answer;
  };
}
