import { useEffect, useState } from 'preact/hooks';
import type { ConversationList } from '../../../../src/operations/conversations/list.js';
import { ApiError, atMost, post } from '../../api.js';
import { Failure, Waiting } from '../../components/notice.js';
import { Source } from '../../components/source.js';
import { day, number, t } from '../../strings/text.js';
import { answerIn, useCall } from '../../use-call.js';
import { useKeys } from '../../use-keys.js';
import { BulkBar } from './bulk-bar.js';
import { type Decision, useDecisions } from './use-decisions.js';
import { WaitingItem } from './waiting-item.js';

const body = { memory_status: 'pending_review', order: 'oldest', limit: 50 };

export function ReviewView() {
  const called = useCall('pending', (signal) => post<ConversationList>('/memory/conversations/list', body, { signal }));
  const list = answerIn(called);
  const [gone, setGone] = useState<readonly string[]>([]);
  const [chosen, setChosen] = useState<string>();
  const [failure, setFailure] = useState<Error>();
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const comeBack = (id: string): void => setGone((before) => before.filter((each) => each !== id));
  const decisions = useDecisions((id, error) => {
    setFailure(error);
    comeBack(id);
    // The service refused: another user may have decided meanwhile, so the list is reloaded.
    if (error instanceof ApiError) called.reload();
  });
  const waiting = (list?.results ?? []).filter(({ id }) => !gone.includes(id));
  const many = ticked.filter((id) => !gone.includes(id));
  const sources = [...new Set(waiting.map(({ source }) => source))];
  // By id and not by place: what comes back must not slip under the next key.
  const at = Math.max(
    0,
    waiting.findIndex(({ id }) => id === chosen),
  );
  const current = waiting[at];
  const goesOn = list !== undefined && list.cursor !== null;
  const ranOut = called.kind === 'done' && goesOn && current === undefined;
  useEffect(() => {
    if (ranOut) called.reload();
  }, [ranOut, list]);
  const move = (step: number): void => setChosen((waiting[at + step] ?? current)?.id);
  const decide = (decision: Decision): void => {
    if (current === undefined) return;
    setFailure(undefined);
    setGone((before) => [...before, current.id]);
    setChosen((waiting[at + 1] ?? waiting[at - 1])?.id);
    decisions.take({ id: current.id, decision });
  };
  const undo = (): void => {
    const id = decisions.undo();
    if (id === undefined) return;
    comeBack(id);
    setChosen(id);
  };
  useKeys({ j: () => move(1), k: () => move(-1), u: undo });
  const unlisted = called.kind === 'failed' ? <Failure error={called.error} onRetry={called.reload} /> : null;
  if (list === undefined) return unlisted ?? <Waiting />;
  return (
    <section class="page review">
      <h1>
        {t('review')} <span class="about">{number(countOf(list, waiting.length))}</span>
      </h1>
      <p class="about">{t('reviewKeys')}</p>
      {failure === undefined ? null : <Failure error={failure} />}
      {unlisted}
      {current === undefined && goesOn && unlisted === null ? <Waiting /> : null}
      {current === undefined && !goesOn ? <p class="notice">{t('nothingToReview')}</p> : null}
      {many.length > 0 ? (
        <BulkBar
          chosen={many}
          onClear={() => setTicked([])}
          onDone={(decided, problem) => {
            setTicked([]);
            setFailure(problem);
            setGone((before) => [...before, ...decided]);
            // Some of them may not have been in the list, which counts them.
            called.reload();
          }}
        />
      ) : waiting.length > 1 ? (
        <p class="bulk">
          <span class="about">{t('chooseAllOf')}</span>
          {sources.slice(0, 8).map((source) => (
            <button
              key={source}
              type="button"
              class="chip add"
              onClick={() => {
                if (goesOn) waitingFrom(source).then(setTicked, setFailure);
                else setTicked(waiting.filter((each) => each.source === source).map(({ id }) => id));
              }}
            >
              <Source name={source} />
            </button>
          ))}
        </p>
      ) : null}
      <div class="reviewing">
        <ul class="pending">
          {waiting.map(({ id, title, source, timestamp, message_count }) => (
            <li key={id}>
              <input
                type="checkbox"
                aria-label={`${t('choose')}: ${title ?? t('untitled')}`}
                checked={ticked.includes(id)}
                onChange={() =>
                  setTicked((before) => (before.includes(id) ? before.filter((each) => each !== id) : [...before, id]))
                }
              />
              <button
                type="button"
                aria-current={id === current?.id ? 'true' : undefined}
                onClick={() => setChosen(id)}
              >
                <strong>{title ?? t('untitled')}</strong>
                <span class="about">
                  <Source name={source} /> · {day(timestamp)} · {t('messages', { n: message_count })}
                </span>
              </button>
            </li>
          ))}
        </ul>
        {current === undefined ? null : <WaitingItem key={current.id} item={current} onDecide={decide} />}
      </div>
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

/** Every one that waits from a source, also those that the list does not show yet. */
async function waitingFrom(source: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page: object = { ...body, source, limit: atMost(100), ...(cursor === null ? {} : { cursor }) };
    const list: ConversationList = await post('/memory/conversations/list', page);
    ids.push(...list.results.map(({ id }) => id));
    cursor = list.cursor;
  } while (cursor !== null);
  return ids;
}

/** All that waits: what is listed and not decided yet, and what the list leaves out. */
function countOf({ results, total, cursor }: ConversationList, undecided: number): number {
  return cursor === null ? undecided : undecided + Math.max(0, total - results.length);
}
