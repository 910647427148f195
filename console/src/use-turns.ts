import { useRef } from 'preact/hooks';

type Call<Answer> = (signal: AbortSignal) => Promise<Answer>;

/** The longest wait for a response that is no longer needed. */
const patience = 400;

/**
 * A serial queue of calls, so that fast typing does not pile up requests whose results are never shown. A call that was
 * aborted while it waited is not sent.
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
