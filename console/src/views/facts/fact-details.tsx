import { useState } from 'preact/hooks';
import type { FactOutput } from '../../../../src/operations/facts/present.js';
import { post } from '../../api.js';
import type { Key } from '../../strings/en.js';
import { day, t } from '../../strings/text.js';
import { answerIn, useCall } from '../../use-call.js';
import { detachSource, undoFact } from './changing.js';
import { placeOf } from './evidence.js';

/** Where a fact was said, how sure it is, and what was changed by hand. Read when it is opened. */
export function FactDetails({ fact, isFrozen }: { fact: FactOutput; isFrozen: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="fact-details" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('details')}</summary>
      {isOpen ? (
        <>
          <Evidence fact={fact} isFrozen={isFrozen} />
          <p class="about">{fact.confidence_reason}</p>
          <Changes fact={fact} isFrozen={isFrozen} />
        </>
      ) : null}
    </details>
  );
}

/** More are counted; each of them is a call. */
const mostQuoted = 4;

function Evidence({ fact, isFrozen }: { fact: FactOutput; isFrozen: boolean }) {
  const { sources, project_id } = fact;
  // Topics are counted by the service, so there is no sentence to detach.
  const canDetach = !isFrozen && fact.predicate !== 'recurring_topic';
  const shown = [...sources].reverse().slice(0, mostQuoted);
  const key = JSON.stringify(shown);
  const quotes = answerIn(
    useCall(key, (signal) => Promise.all(shown.map((source) => quoteOf(source, { project_id, signal })))),
  );
  if (shown.length === 0) return null;
  const rest = sources.length - shown.length;
  return (
    <>
      <h4>{t('citations')}</h4>
      <ul class="evidence">
        {shown.map((source, index) => (
          <li key={`${source.conversation_id} ${source.message_index} ${source.start}`}>
            <a href={placeOf(source)}>
              {quotes?.[index] ?? ''}{' '}
              <span class="about">
                {t(source.role === 'user' ? 'you' : 'assistant')} · {source.source} · {day(source.stated_at)}
              </span>
            </a>
            {canDetach ? (
              <button
                type="button"
                class="quiet"
                aria-label={`${t('detach')}: ${source.source}, ${day(source.stated_at)}`}
                onClick={() => detachSource(fact, source)}
              >
                {t('detach')}
              </button>
            ) : null}
          </li>
        ))}
      </ul>
      {rest > 0 ? <p class="about">{t('moreEvidence', { n: rest })}</p> : null}
    </>
  );
}

/** The sentence itself; undefined where it can no longer be read. */
async function quoteOf(
  { conversation_id: id, message_index, start, end }: FactOutput['sources'][number],
  { project_id, signal }: { project_id: string; signal: AbortSignal },
): Promise<string | undefined> {
  const body = { id, message_index, before: 0, after: 0, project_id };
  try {
    const { results } = await post<{ results: { text: string }[] }>('/memory/context', body, { signal });
    const text = results[0]?.text.slice(start, end).trim();
    return text ? `“${text}”` : undefined;
  } catch {
    // The link with its day and source stays, and leads to what there is.
    return undefined;
  }
}

const changeWords = {
  added: 'changeAdded',
  corrected: 'changeCorrected',
  retracted: 'changeRetracted',
  pinned: 'changePinned',
  unpinned: 'changeUnpinned',
  detached: 'changeDetached',
} as const satisfies Record<NonNullable<FactOutput['changes']>[number]['kind'], Key>;

function Changes({ fact, isFrozen }: { fact: FactOutput; isFrozen: boolean }) {
  const changes = fact.changes ?? [];
  if (changes.length === 0) return null;
  return (
    <>
      <h4>{t('changesByYou')}</h4>
      <ol class="changes">
        {changes.map(({ kind, at, until, sources: [detached] = [] }, index) => (
          <li key={at}>
            {t(until === undefined ? changeWords[kind] : 'changeEnded')}
            <span class="about">
              {' '}
              {day(at)}
              {until === undefined ? '' : ` · ${t('trueUntilDay', { day: day(until) })}`}
              {detached === undefined ? null : (
                <>
                  {' · '}
                  <a href={placeOf(detached)}>
                    {detached.source}, {day(detached.stated_at)}
                  </a>
                </>
              )}
            </span>
            {index === changes.length - 1 && !isFrozen ? (
              <button type="button" class="quiet" onClick={() => undoFact(fact)}>
                {t('undo')}
              </button>
            ) : null}
          </li>
        ))}
      </ol>
    </>
  );
}
