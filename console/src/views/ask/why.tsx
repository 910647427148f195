import { useState } from 'preact/hooks';
import type { AskOutput } from '../../../../src/operations/ask/shapes.js';
import { post } from '../../api.js';
import { Failure, Waiting } from '../../components/notice.js';
import { Source } from '../../components/source.js';
import type { Target } from '../../reading/target.js';
import { day, percent, t } from '../../strings/text.js';
import { useCall } from '../../use-call.js';
import { readable } from '../search/readable.js';
import { cut } from './cut.js';
import { leadOf, unclearLead } from './lead.js';

/** One message with where it is from. */
interface ReadMessage {
  id: string;
  title?: string;
  source: string;
  message_index: number;
  results: { role: 'user' | 'assistant'; text: string; timestamp: string }[];
}

interface WhyProps {
  answer: AskOutput;
  hrefOf: (target: Target) => string;
}

/** How the confidence came about: how likely the answer is right, and every message that was read for it. */
export function Why({ answer, hrefOf }: WhyProps) {
  const [isOpen, setOpen] = useState(false);
  const { read = [], confidence_score: score, answer_basis, parts } = answer;
  if (read.length === 0) return null;
  // Without an answer, or with several, the figure would be about none that is shown.
  const isAnswered = answer_basis !== 'not_found' && parts === undefined;
  const hasScore = isAnswered && unclearLead(leadOf(answer) ?? answer.answer) === undefined;
  return (
    <details class="why" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('why')}</summary>
      {hasScore && score !== undefined ? <p class="about">{t('whyScore', { share: whole(score) })}</p> : null}
      <p class="about">{t('whyRead', { n: read.length })}</p>
      {isOpen ? <MessagesRead read={read} hrefOf={hrefOf} /> : null}
    </details>
  );
}

const shownLength = 160;

function whole(probability: number): string {
  return percent(Math.round(probability * 100) / 100);
}

/** The messages are fetched when they are asked for: an answer holds only those that it quotes. */
function MessagesRead({ read, hrefOf }: { read: NonNullable<AskOutput['read']>; hrefOf: WhyProps['hrefOf'] }) {
  const likeliestFirst = [...read].sort((one, other) => other.probability - one.probability);
  const called = useCall(JSON.stringify(read), (signal) =>
    Promise.all(
      likeliestFirst.map(async ({ conversation_id: id, message_index, probability }) => {
        const body = { id, message_index, before: 0, after: 0 };
        return { probability, context: await post<ReadMessage>('/memory/context', body, { signal }) };
      }),
    ),
  );
  if (called.kind === 'failed') return <Failure error={called.error} onRetry={called.reload} />;
  if (called.kind === 'waiting') return <Waiting />;
  return (
    <ol class="read">
      {called.answer.map(({ probability, context: { id, title, source, message_index, results } }) => {
        const [message] = results;
        const text = message?.text ?? '';
        return (
          <li key={`${id} ${message_index}`}>
            <span class="read-share">
              {whole(probability)}
              <meter aria-hidden="true" min={0} max={1} value={probability} />
            </span>
            <a href={hrefOf({ id, turn: message_index })}>
              {readable({ text: cut(text, 0, Math.min(text.length, shownLength)), highlights: [] }).text}
            </a>
            <span class="about said">
              {message === undefined ? null : <strong>{t(message.role === 'user' ? 'you' : 'assistant')}</strong>}
              {message === undefined ? null : <time dateTime={message.timestamp}>{day(message.timestamp)}</time>}
              <Source name={source} />
              <span>{title ?? t('untitled')}</span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}
