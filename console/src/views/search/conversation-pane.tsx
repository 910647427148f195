import { useEffect, useRef } from 'preact/hooks';
import type { ConversationList } from '../../../../src/operations/conversations/list.js';
import type { ConversationOutput } from '../../../../src/operations/present.js';
import { post } from '../../api.js';
import { CopyLink } from '../../components/copy-link.js';
import { Highlight } from '../../components/highlight.js';
import { Failure, Waiting } from '../../components/notice.js';
import { day, t } from '../../strings/text.js';
import { answerIn, useCall } from '../../use-call.js';
import type { Target } from './results.js';

interface PaneProps {
  target: Target;
  words: readonly string[];
  projectId: string | undefined;
  hrefOf: (target: Target) => string;
  closeHref: string;
}

/** The matched turn in its conversation, with the rest of the thread. */
export function ConversationPane({ target, words, projectId, hrefOf, closeHref }: PaneProps) {
  const project = projectId === undefined ? {} : { project_id: projectId };
  const called = useCall(`${target.id} ${projectId}`, (signal) =>
    post<{ memory: ConversationOutput }>(
      '/memory/retrieve',
      { id: target.id, memory_status: 'all', ...project },
      { signal },
    ),
  );
  // Not the last answer while the next is on its way: a turn would be marked in the wrong conversation.
  const memory = called.kind === 'done' ? called.answer.memory : undefined;
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    // The pane scrolls, not the page: scrollIntoView would move both.
    const turn = box.current?.querySelector<HTMLElement>('.turn.matched');
    if (turn && box.current) box.current.scrollTop = turn.offsetTop - box.current.clientHeight / 3;
  }, [memory?.id, target.turn]);
  return (
    <aside class="pane" ref={box} aria-label={t('openConversation')}>
      <div class="pane-head">
        <h2 title={memory?.title}>{memory?.title ?? t('untitled')}</h2>
        <CopyLink key={`${target.id} ${target.turn}`} />
        <a class="close" href={closeHref} aria-label={t('close')}>
          ×
        </a>
      </div>
      {called.kind === 'failed' ? <Failure error={called.error} onRetry={called.reload} /> : null}
      {memory === undefined && called.kind === 'waiting' ? <Waiting /> : null}
      {memory === undefined ? null : <About memory={memory} />}
      {memory?.messages?.map(({ role, text, timestamp }, index) => (
        <article key={index} class={`turn ${role}${index === target.turn ? ' matched' : ''}`}>
          <h3>
            {[t(role === 'user' ? 'you' : 'assistant'), ...(timestamp === undefined ? [] : [day(timestamp)])].join(
              ' · ',
            )}
          </h3>
          <MessageText text={text} words={index === target.turn ? words : []} />
        </article>
      ))}
      {memory === undefined ? null : <Thread memory={memory} project={project} hrefOf={hrefOf} />}
    </aside>
  );
}

function About({ memory }: { memory: ConversationOutput }) {
  const tags = Array.isArray(memory.metadata.tags) ? memory.metadata.tags.map(String) : [];
  return <p class="about">{[memory.source, day(memory.timestamp), ...tags.map((tag) => `#${tag}`)].join(' · ')}</p>;
}

/** Code between fences keeps its shape; everything else is words. */
function MessageText({ text, words }: { text: string; words: readonly string[] }) {
  return (
    <div class="text">
      {text.split(/^```[^\n]*$/m).map((piece, index) =>
        index % 2 === 1 ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, also for those without a mouse.
          <pre key={index} tabIndex={0}>
            {piece.replace(/^\n/, '')}
          </pre>
        ) : (
          <p key={index}>
            <Highlight text={piece.trim()} words={words} />
          </p>
        ),
      )}
    </div>
  );
}

interface ThreadProps {
  memory: ConversationOutput;
  project: object;
  hrefOf: (target: Target) => string;
}

function Thread({ memory, project, hrefOf }: ThreadProps) {
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
              {day(timestamp)} · {t('messages', { n: message_count })}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
