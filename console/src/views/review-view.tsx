import { useEffect, useRef, useState } from 'preact/hooks';
import type { ConversationList } from '../../../src/operations/conversations/list.js';
import type { ConversationOutput } from '../../../src/operations/present.js';
import { post } from '../api.js';
import { Failure, Waiting } from '../components/notice.js';
import { day, t } from '../strings/text.js';
import { answerIn, useCall } from '../use-call.js';
import { useKeys } from '../use-keys.js';

type Decision = 'approve' | 'reject';

interface Undecided {
  id: string;
  decision: Decision;
}

/** How long a decision can be taken back before it is sent. */
const graceMilliseconds = 5_000;

export function ReviewView() {
  const body = { memory_status: 'pending_review', order: 'oldest', limit: 50 };
  const called = useCall('pending', (signal) => post<ConversationList>('/memory/conversations/list', body, { signal }));
  const [gone, setGone] = useState<readonly string[]>([]);
  const [at, setAt] = useState(0);
  const [failure, setFailure] = useState<Error>();
  const decisions = useDecisions((error) => setFailure(error));
  const waiting = (answerIn(called)?.results ?? []).filter(({ id }) => !gone.includes(id));
  const current = waiting[Math.min(at, waiting.length - 1)];
  const decide = (decision: Decision): void => {
    if (current === undefined) return;
    setGone((before) => [...before, current.id]);
    decisions.take({ id: current.id, decision });
  };
  const undo = (): void => {
    const back = decisions.undo();
    if (back !== undefined) setGone((before) => before.filter((id) => id !== back.id));
  };
  useKeys({
    j: () => setAt((before) => Math.min(before + 1, waiting.length - 1)),
    k: () => setAt((before) => Math.max(before - 1, 0)),
    a: () => decide('approve'),
    r: () => decide('reject'),
    u: undo,
  });
  if (called.kind === 'failed') return <Failure error={called.error} onRetry={called.reload} />;
  if (answerIn(called) === undefined) return <Waiting />;
  return (
    <section class="page review">
      <h1>
        {t('review')} <span class="about">{waiting.length}</span>
      </h1>
      <p class="about">{t('reviewKeys')}</p>
      {failure === undefined ? null : <Failure error={failure} />}
      {current === undefined ? <p class="notice">{t('nothingToReview')}</p> : null}
      <ul class="pending">
        {waiting.map(({ id, title, source, timestamp, message_count }, index) => (
          <li key={id}>
            <button type="button" aria-current={id === current?.id ? 'true' : undefined} onClick={() => setAt(index)}>
              <strong>{title ?? t('untitled')}</strong>
              <span class="about">
                {source} · {day(timestamp)} · {t('messages', { n: message_count })}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {current === undefined ? null : (
        <article class="card">
          <h2>{current.title ?? t('untitled')}</h2>
          <Messages id={current.id} />
          <div class="actions">
            <button type="button" class="primary" onClick={() => decide('approve')}>
              {t('approve')} <kbd>a</kbd>
            </button>
            <button type="button" onClick={() => decide('reject')}>
              {t('reject')} <kbd>r</kbd>
            </button>
          </div>
        </article>
      )}
      {decisions.last === undefined ? null : (
        <p class="toast" role="status">
          {t(decisions.last.decision === 'approve' ? 'approved' : 'wasRejected')}{' '}
          <button type="button" onClick={undo}>
            {t('undo')} <kbd>u</kbd>
          </button>
        </p>
      )}
    </section>
  );
}

function Messages({ id }: { id: string }) {
  const called = useCall(id, (signal) =>
    post<{ memory: ConversationOutput }>('/memory/retrieve', { id, memory_status: 'all' }, { signal }),
  );
  const memory = answerIn(called)?.memory;
  if (memory === undefined || memory.id !== id) return <Waiting />;
  return (
    <>
      {memory.messages?.map(({ role, text }, index) => (
        <div key={index} class={`turn ${role}`}>
          <h3>{t(role === 'user' ? 'you' : 'assistant')}</h3>
          <p class="plain">{text}</p>
        </div>
      ))}
    </>
  );
}

/**
 * A decision is final for the service, so it is held back for a moment. The next decision, and leaving the page, send
 * the one before at once.
 */
function useDecisions(onFailure: (error: Error) => void) {
  const [last, setLast] = useState<Undecided>();
  const held = useRef<Undecided>();
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const send = (): void => {
    clearTimeout(timer.current);
    const due = held.current;
    held.current = undefined;
    setLast(undefined);
    if (due !== undefined) post(`/memory/pending/${due.decision}`, { id: due.id }).catch(onFailure);
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
    take(decision: Undecided): void {
      send();
      held.current = decision;
      setLast(decision);
      timer.current = setTimeout(send, graceMilliseconds);
    },
    undo(): Undecided | undefined {
      clearTimeout(timer.current);
      const back = held.current;
      held.current = undefined;
      setLast(undefined);
      return back;
    },
  };
}
