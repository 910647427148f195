import { useEffect, useState } from 'preact/hooks';
import type { ConversationList } from '../../../src/operations/conversations/list.js';
import type { ConversationOutput } from '../../../src/operations/present.js';
import type { SearchOutput } from '../../../src/operations/search/shapes.js';
import { atMost, post } from '../api.js';
import { Failure, Waiting } from '../components/notice.js';
import { lately, t } from '../strings/text.js';
import { answerIn, useCall } from '../use-call.js';
import { SideBySide } from './side-by-side.js';
import type { Target } from './target.js';

interface RelatedProps {
  memory: ConversationOutput;
  project: object;
  hrefOf: (target: Target) => string;
}

export function Thread({ memory, project, hrefOf }: RelatedProps) {
  const [beside, setBeside] = useState<string>();
  useEffect(() => setBeside(undefined), [memory.id]);
  const threadId = memory.metadata.thread_id;
  const called = useCall(String(threadId ?? ''), async (signal) => {
    if (typeof threadId !== 'string') return { results: [] };
    const body = { thread_id: threadId, order: 'oldest', memory_status: 'all', limit: 50, ...project };
    return post<Pick<ConversationList, 'results'>>('/memory/conversations/list', body, { signal });
  });
  const others = (answerIn(called)?.results ?? []).filter(({ id }) => id !== memory.id);
  if (others.length === 0) return null;
  return (
    <section class="thread">
      <h3>{t('thread')}</h3>
      <ul>
        {others.map(({ id, title, timestamp, message_count }) => (
          <li key={id}>
            <a href={hrefOf({ id })}>{title ?? t('untitled')}</a>
            <span class="about">
              {lately(timestamp)} · {t('messages', { n: message_count })}
            </span>
            <button
              type="button"
              class="quiet"
              aria-expanded={beside === id}
              aria-label={`${t('sideBySide')}: ${title ?? t('untitled')}`}
              onClick={() => setBeside(beside === id ? undefined : id)}
            >
              {t('sideBySide')}
            </button>
          </li>
        ))}
      </ul>
      {beside === undefined ? null : (
        <SideBySide memory={memory} otherId={beside} project={project} onClose={() => setBeside(undefined)} />
      )}
    </section>
  );
}

/** Related conversations, fetched only when the section is opened. */
export function Related(props: RelatedProps) {
  const [open, setOpen] = useState(false);
  return (
    <details class="thread" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('related')}</summary>
      {open ? <RelatedList {...props} /> : null}
    </details>
  );
}

function RelatedList({ memory, project, hrefOf }: RelatedProps) {
  const called = useCall(memory.id, (signal) => {
    const query = aboutOf(memory);
    const body = { query, result_mode: 'conversations', limit: atMost(8), include_messages: false, ...project };
    return post<SearchOutput>('/memory/search', body, { signal });
  });
  if (called.kind === 'failed') return <Failure error={called.error} onRetry={called.reload} />;
  const found = answerIn(called);
  if (found === undefined) return <Waiting />;
  const others = found.results.flatMap((item) => ('chunks' in item && item.id !== memory.id ? [item] : [])).slice(0, 6);
  if (others.length === 0) return <p class="about">{t('noRelated')}</p>;
  return (
    <ul>
      {others.map(({ id, message_index, conversation }) => (
        <li key={id}>
          <a href={hrefOf({ id, turn: message_index })}>{conversation.title ?? t('untitled')}</a>
          <span class="about">
            {conversation.source} · {lately(conversation.timestamp)}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The title and opening words, without characters that are search operators. */
function aboutOf({ title = '', messages = [] }: ConversationOutput): string {
  const first = messages.find(({ role }) => role === 'user') ?? messages[0];
  const words = `${title} ${first?.text.slice(0, 300) ?? ''}`.replace(/["“”„:]|(?<=^|\s)-/g, ' ').trim();
  return words === '' ? 'conversation' : words;
}
