import type { ConversationOutput } from '../../../src/operations/present.js';
import { post } from '../api.js';
import { Failure, Waiting } from '../components/notice.js';
import { clock, lately, t } from '../strings/text.js';
import { answerIn, useCall } from '../use-call.js';
import { MessageText } from './message-text.js';
import { sharedBeginning } from './shared-beginning.js';

interface SideBySideProps {
  memory: ConversationOutput;
  otherId: string;
  project: object;
  onClose: () => void;
}

type Message = NonNullable<ConversationOutput['messages']>[number];

/** Two conversations of a thread, or two branches of one, from where they part. What they share is only counted. */
export function SideBySide({ memory, otherId, project, onClose }: SideBySideProps) {
  const called = useCall(otherId, async (signal) => {
    const body = { id: otherId, memory_status: 'all', ...project };
    return (await post<{ memory: ConversationOutput }>('/memory/retrieve', body, { signal })).memory;
  });
  if (called.kind === 'failed') return <Failure error={called.error} onRetry={called.reload} />;
  const other = answerIn(called);
  if (other === undefined) return <Waiting />;
  const [own, theirs] = [memory.messages ?? [], other.messages ?? []];
  const shared = sharedBeginning(own, theirs);
  return (
    <section class="side-by-side" aria-label={t('sideBySide')}>
      <p class="side-head">
        <strong>{t('sideBySide')}</strong>{' '}
        <button type="button" class="quiet" onClick={onClose}>
          {t('close')}
        </button>
      </p>
      {shared === 0 ? null : <p class="about">{t('sharedMessages', { n: shared })}</p>}
      <div class="columns">
        <Column memory={memory} messages={own.slice(shared)} />
        <Column memory={other} messages={theirs.slice(shared)} />
      </div>
    </section>
  );
}

function Column({ memory, messages }: { memory: ConversationOutput; messages: readonly Message[] }) {
  return (
    <div>
      <h4>
        {memory.title ?? t('untitled')} <span class="about">{lately(memory.timestamp)}</span>
      </h4>
      {messages.length === 0 ? <p class="about">{t('nothingFurther')}</p> : null}
      {messages.map(({ role, text, timestamp }, index) => (
        <div key={index} class={`beside ${role}`}>
          <p class="about">
            {t(role === 'user' ? 'you' : 'assistant')} {timestamp === undefined ? '' : clock(timestamp)}
          </p>
          <MessageText text={text} raw={false} />
        </div>
      ))}
    </div>
  );
}
