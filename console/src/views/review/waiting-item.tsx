import { useState } from 'preact/hooks';
import type { ConversationOutput } from '../../../../src/operations/present.js';
import { post } from '../../api.js';
import { Failure, Waiting } from '../../components/notice.js';
import { MessageText } from '../../reading/message-text.js';
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
  const [revealed, setRevealed] = useState(false);
  const secret = memory?.metadata.review_reason === 'secret_detected';
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
      {memory === undefined ? null : <Why memory={memory} />}
      {secret && !revealed ? (
        <p class="notice">
          {t('secretHidden')}{' '}
          <button type="button" onClick={() => setRevealed(true)}>
            {t('reveal')}
          </button>
        </p>
      ) : (
        memory?.messages?.map(({ role, text }, index) => (
          <div key={index} class={`turn ${role}`}>
            <h3>{t(role === 'user' ? 'you' : 'assistant')}</h3>
            <MessageText text={text} raw={false} />
          </div>
        ))
      )}
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

/** Why it waits: something in it looks like a secret, or everything from there waits. */
function Why({ memory: { metadata, source } }: { memory: ConversationOutput }) {
  const kinds = Array.isArray(metadata.secret_kinds) ? metadata.secret_kinds.map(String) : [];
  if (metadata.review_reason !== 'secret_detected') return <p class="about">{t('waitsByPolicy', { source })}</p>;
  return <p class="about">{t('waitsForSecret', { kinds: kinds.length === 0 ? '?' : kinds.join(', ') })}</p>;
}
