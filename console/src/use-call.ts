import { useEffect, useRef, useState } from 'preact/hooks';

export type Called<Answer> =
  | { kind: 'waiting'; last?: Answer }
  | { kind: 'done'; answer: Answer }
  | { kind: 'failed'; error: Error; last?: Answer };

/**
 * Runs a call again when `key` changes and drops answers that come too late. The last answer stays until the next one is
 * there, so that a page never blinks while a person types.
 */
export function useCall<Answer>(
  key: string,
  call: (signal: AbortSignal) => Promise<Answer>,
  { delay = 0 } = {},
): Called<Answer> & { reload: () => void } {
  const [state, setState] = useState<{ key: string; called: Called<Answer> }>({ key, called: { kind: 'waiting' } });
  const [round, setRound] = useState(0);
  const last = useRef<Answer>();
  const known = (): { last?: Answer } => (last.current === undefined ? {} : { last: last.current });
  // The key covers everything the call depends on.
  useEffect(() => {
    const stop = new AbortController();
    setState({ key, called: { kind: 'waiting', ...known() } });
    const timer = setTimeout(() => {
      call(stop.signal).then(
        (answer) => {
          if (stop.signal.aborted) return;
          last.current = answer;
          setState({ key, called: { kind: 'done', answer } });
        },
        (error: Error) => {
          if (!stop.signal.aborted) setState({ key, called: { kind: 'failed', error, ...known() } });
        },
      );
    }, delay);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [key, round]);
  // An answer to another key is never taken for the answer to this one, not even for the moment before the next call.
  const called: Called<Answer> = state.key === key ? state.called : { kind: 'waiting', ...known() };
  return { ...called, reload: () => setRound((before) => before + 1) };
}

export function answerIn<Answer>(called: Called<Answer>): Answer | undefined {
  return called.kind === 'done' ? called.answer : called.last;
}
