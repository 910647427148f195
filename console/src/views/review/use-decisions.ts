import { useEffect, useRef, useState } from 'preact/hooks';
import { post } from '../../api.js';
import { tellChange } from '../../changes.js';

export type Decision = 'approve' | 'reject';

interface Decided {
  id: string;
  decision: Decision;
}

/** How long a decision can be taken back before it is sent. */
const graceMilliseconds = 5_000;

/**
 * A decision is final for the service, so it is held back for a moment. The next decision, and leaving the page, send
 * the one before at once.
 */
export function useDecisions(onFailure: (id: string, error: Error) => void) {
  const [last, setLast] = useState<Decided>();
  const held = useRef<Decided>();
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const send = (): void => {
    clearTimeout(timer.current);
    const due = held.current;
    held.current = undefined;
    setLast(undefined);
    if (due === undefined) return;
    post(`/memory/pending/${due.decision}`, { id: due.id }).then(tellChange, (error: Error) =>
      onFailure(due.id, error),
    );
  };
  useEffect(() => {
    addEventListener('pagehide', send);
    return () => {
      removeEventListener('pagehide', send);
      send();
    };
  }, []);
  return {
    last,
    take(decided: Decided): void {
      send();
      held.current = decided;
      setLast(decided);
      timer.current = setTimeout(send, graceMilliseconds);
    },
    undo(): string | undefined {
      clearTimeout(timer.current);
      const back = held.current;
      held.current = undefined;
      setLast(undefined);
      return back?.id;
    },
  };
}
