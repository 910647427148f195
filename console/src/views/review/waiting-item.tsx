import type { ConversationOutput } from '../../../../src/operations/present.js';
import { post } from '../../api.js';
import { Failure, Waiting } from '../../components/notice.js';
import { t } from '../../strings/text.js';
import { answerIn, useCall } from '../../use-call.js';
import { useKeys } from '../../use-keys.js';
import type { Decision } from './use-decisions.js';

interface WaitingItemProps {
  item: { id: string; title?: string | undefined };
  onDecide: (decision: Decision) => void;
}

/** What is decided about, in full. Where it could not be shown, nothing is decided. */
export function WaitingItem({ item: { id, title }, onDecide }: WaitingItemProps) {
  const called = useCall(id, (signal) =>
    post<{ memory: ConversationOutput }>('/memory/retrieve', { id, memory_status: 'all' }, { signal }),
  );
  const memory = answerIn(called)?.memory;
  const unseen = called.kind === 'failed';
  const decide = (decision: Decision): void => {
    if (!unseen) onDecide(decision);
  };
  useKeys({ a: () => decide('approve'), r: () => decide('reject') });
  return (
    <article class="card">
      <h2>{title ?? t('untitled')}</h2>
      {called.kind === 'failed' ? <Failure error={called.error} onRetry={called.reload} /> : null}
      {called.kind === 'waiting' ? <Waiting /> : null}
      {memory?.messages?.map(({ role, text }, index) => (
        <div key={index} class={`turn ${role}`}>
          <h3>{t(role === 'user' ? 'you' : 'assistant')}</h3>
          <p class="plain">{text}</p>
        </div>
      ))}
      <div class="actions">
        <button type="button" class="primary" disabled={unseen} onClick={() => decide('approve')}>
          {t('approve')} <kbd>a</kbd>
        </button>
        <button type="button" disabled={unseen} onClick={() => decide('reject')}>
          {t('reject')} <kbd>r</kbd>
        </button>
      </div>
    </article>
  );
}
