import { useEffect, useState } from 'preact/hooks';
import type { AskOutput, Citation } from '../../../src/operations/ask/output.js';
import { post } from '../api.js';
import { Failure, Waiting } from '../components/notice.js';
import { goTo, linkTo, type ViewProps } from '../router.js';
import type { Key } from '../strings/en.js';
import { day, t } from '../strings/text.js';
import { answerIn, useCall } from '../use-call.js';

const bases = {
  direct_memory: 'basisMemory',
  fact_layer: 'basisFacts',
  mixed: 'basisMixed',
  conflict: 'basisConflict',
  not_found: 'basisNone',
} as const satisfies Record<AskOutput['answer_basis'], Key>;

const confidences = {
  high: 'confidenceHigh',
  medium: 'confidenceMedium',
  low: 'confidenceLow',
  none: 'confidenceNone',
} as const satisfies Record<AskOutput['confidence'], Key>;

/** The question is in the address: an answer can be linked to, and going back asks nothing again. */
export function AskView({ place: { params } }: ViewProps) {
  const question = params.get('q') ?? '';
  const [typed, setTyped] = useState(question);
  useEffect(() => setTyped(question), [question]);
  return (
    <section class="page ask">
      <h1>{t('ask')}</h1>
      <form
        class="question"
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.trim() !== '') goTo(linkTo('ask', { q: typed.trim() }));
        }}
      >
        <input
          class="query"
          aria-label={t('askLabel')}
          placeholder={t('askPlaceholder')}
          value={typed}
          autocomplete="off"
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <button type="submit" class="primary">
          {t('askButton')}
        </button>
      </form>
      {question.trim() === '' ? <p class="notice">{t('askHint')}</p> : <Answer question={question} />}
    </section>
  );
}

function Answer({ question }: { question: string }) {
  const called = useCall(question, (signal) =>
    post<AskOutput>('/memory/ask', { question, include_messages: false }, { signal }),
  );
  if (called.kind === 'failed') return <Failure error={called.error} onRetry={called.reload} />;
  const answer = answerIn(called);
  if (answer === undefined || called.kind === 'waiting') return <Waiting />;
  const found = answer.answer_basis !== 'not_found';
  return (
    <>
      <article class="card answer" aria-live="polite">
        <p class="plain">{found ? answer.answer : t('noAnswer')}</p>
        <p class="about">
          <span class={`state confidence-${answer.confidence}`}>{t(confidences[answer.confidence])}</span>{' '}
          {t(bases[answer.answer_basis])}
        </p>
        {found ? <p class="about">{answer.confidence_reason}</p> : null}
        {answer.diagnostics === undefined ? null : <p class="notice">{t('keywordsOnly')}</p>}
      </article>
      {found ? <Citations answer={answer} /> : <Closest answer={answer} />}
    </>
  );
}

function Citations({ answer }: { answer: AskOutput }) {
  return (
    <>
      <h2>{t('citations')}</h2>
      <ol class="citations">
        {answer.citations.map((citation, index) => (
          <li key={index}>
            <a class="card" href={placeOf(citation, answer)} data-citation>
              <span class="plain">{citation.type === 'fact' ? citation.quote : citation.text}</span>
              <span class="about">{aboutOf(citation, answer)}</span>
            </a>
          </li>
        ))}
      </ol>
    </>
  );
}

/** Where nothing answers, what comes nearest may still help. */
function Closest({ answer }: { answer: AskOutput }) {
  const chunks = answer.results.flatMap((item) => ('conversation' in item && 'text' in item ? [item] : []));
  if (chunks.length === 0) return null;
  return (
    <>
      <h2>{t('closest')}</h2>
      <ol class="citations">
        {chunks.map((item) => (
          <li key={`${item.id}:${item.chunk_index}`}>
            <a class="card" href={linkTo('search', { open: item.id, at: String(item.message_index) })}>
              <span class="plain">{item.text.slice(0, 300)}</span>
              <span class="about">
                {item.conversation.title ?? t('untitled')} · {item.conversation.source} · {day(item.timestamp)}
              </span>
            </a>
          </li>
        ))}
      </ol>
    </>
  );
}

function placeOf(citation: Citation, answer: AskOutput): string {
  const at = citation.type === 'chunk' ? citation.message_index : sourceOf(citation, answer)?.message_index;
  return linkTo('search', { open: citation.id, at: at === undefined ? undefined : String(at) });
}

function aboutOf(citation: Citation, answer: AskOutput): string {
  if (citation.type === 'chunk') {
    return [citation.title ?? t('untitled'), citation.source, day(citation.timestamp)].join(' · ');
  }
  const source = sourceOf(citation, answer);
  const said = source === undefined ? [] : [source.source, day(source.stated_at)];
  return [`${t('fact')}: ${citation.text}`, ...said].join(' · ');
}

/** A fact is stated in several places; the one that is cited is in the conversation that the citation names. */
function sourceOf({ id, fact_id }: Extract<Citation, { type: 'fact' }>, { structured_evidence }: AskOutput) {
  const fact = structured_evidence.facts.find((each) => each.fact_id === fact_id);
  return fact?.sources.findLast(({ conversation_id }) => conversation_id === id);
}
