import type { FactOutput } from '../../../../src/operations/facts/present.js';
import { atMost, post } from '../../api.js';
import { tellChange, useChanges } from '../../changes.js';
import { Failure, Waiting } from '../../components/notice.js';
import { linkTo } from '../../router.js';
import { factName } from '../../strings/fact-name.js';
import { day, t } from '../../strings/text.js';
import { showDone, showFailed } from '../../undo-toast.js';
import { answerIn, useCall } from '../../use-call.js';
import { useFocusAfterChange } from './changing.js';
import { Value } from './evidence.js';
import { FactDetails } from './fact-details.js';
import { type Conflict, conflictsIn, nameOf } from './find-conflicts.js';

/** Facts are read a page at a time; beyond this many pages the rest waits until some are resolved. */
const mostPages = 30;

/** Every conflict among the current facts, about whomever they are. */
export function useConflicts() {
  const called = useCall('conflicts', findConflicts, { delay: 200 });
  useChanges(called.reload);
  return called;
}

async function findConflicts(signal: AbortSignal): Promise<Conflict[]> {
  const facts: FactOutput[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < mostPages; page++) {
    const body: object = { limit: atMost(100), ...(cursor === null ? {} : { cursor }) };
    const found: { results: FactOutput[]; cursor: string | null } = await post('/memory/facts/search', body, {
      signal,
    });
    facts.push(...found.results);
    cursor = found.cursor;
    if (cursor === null) break;
  }
  return conflictsIn(facts, new Set(keptConflicts()));
}

/** The queue: values side by side, one to choose, or all to keep. */
export function Conflicts() {
  const called = useConflicts();
  const conflicts = answerIn(called);
  useFocusAfterChange(conflicts);
  if (called.kind === 'failed') return <Failure error={called.error} onRetry={called.reload} />;
  if (conflicts === undefined) return <Waiting />;
  if (conflicts.length === 0) return <p class="notice">{t('noConflicts')}</p>;
  return (
    <>
      <p class="about">{t('conflictsAbout')}</p>
      {conflicts.map((conflict) => (
        <OneConflict key={conflict.key} conflict={conflict} />
      ))}
    </>
  );
}

function OneConflict({ conflict: { subject, predicate, facts } }: { conflict: Conflict }) {
  return (
    <article class="card conflict" data-conflict={predicate}>
      <h2>
        {subject === 'user' ? null : (
          <a class="subject" href={linkTo('people', { name: subject })}>
            {subject}
          </a>
        )}{' '}
        {factName(predicate)}
      </h2>
      <ul class="values">
        {facts.map((fact) => (
          <li key={fact.id} data-fact={fact.id} tabIndex={-1}>
            <p>
              <Value fact={fact} />
            </p>
            <p class="about">
              <time dateTime={fact.stated_at}>{t('saidOn', { day: day(fact.stated_at) })}</time>
            </p>
            <button
              type="button"
              aria-label={`${t('chooseValue')}: ${fact.object_normalized}`}
              onClick={() => chooseOne(fact, facts)}
            >
              {t('chooseValue')}
            </button>
            <FactDetails fact={fact} isFrozen />
          </li>
        ))}
      </ul>
      <button type="button" class="quiet" onClick={() => keepAll(facts)}>
        {t('keepBoth')}
      </button>
    </article>
  );
}

/** The others were replaced by the chosen one; undone as one decision. */
async function chooseOne(chosen: FactOutput, facts: readonly FactOutput[]): Promise<void> {
  const replaced: FactOutput[] = [];
  const undo = async (): Promise<void> => {
    for (const { id, project_id } of replaced) {
      await post(`/memory/facts/${encodeURIComponent(id)}/undo`, { project_id });
    }
  };
  try {
    for (const fact of facts) {
      if (fact.id === chosen.id) continue;
      const { id: fact_id, project_id } = fact;
      await post('/memory/facts/supersede', { fact_id, superseded_by: chosen.id, project_id });
      replaced.push(fact);
    }
    showDone(t('factReplaced'), undo);
  } catch (error) {
    showFailed(error as Error);
  }
  tellChange();
}

const keptKey = 'threadkeep.kept-conflicts';
const mostKept = 500;

/** The service has one value or a conflict; that a conflict is fine is remembered by this browser, as ids of facts. */
function keptConflicts(): string[] {
  return (localStorage.getItem(keptKey) ?? '').split('\n').filter((name) => name !== '');
}

function remember(names: readonly string[]): void {
  localStorage.setItem(keptKey, names.slice(-mostKept).join('\n'));
}

function keepAll(facts: readonly FactOutput[]): void {
  const name = nameOf(facts);
  remember([...keptConflicts(), name]);
  showDone(t('keptBoth'), async () => remember(keptConflicts().filter((each) => each !== name)));
  tellChange();
}
