import type { FactOutput } from '../../../../src/operations/facts/present.js';
import { linkTo } from '../../router.js';
import { factName } from '../../strings/fact-name.js';
import { day, t } from '../../strings/text.js';
import { undoFact } from './changing.js';
import { CurrentFact } from './current-fact.js';
import { Value } from './evidence.js';
import { FactDetails } from './fact-details.js';
import type { Group } from './families.js';

interface FactGroupProps {
  group: Group;
  everyFact: readonly FactOutput[];
  /** Shows a past day, which cannot be changed. */
  isFrozen: boolean;
  /** On the page of a person it need not be said whom the facts are about. */
  isOfOne?: boolean;
}

/** One thing that is known: what holds now, and below it what held before. */
export function FactGroup({ group, everyFact, isFrozen, isOfOne = false }: FactGroupProps) {
  return (
    <article class="card fact-group">
      <h3>
        {group.subject === 'user' || isOfOne ? null : (
          <a class="subject" href={linkTo('people', { name: group.subject })}>
            {group.subject}
          </a>
        )}{' '}
        {factName(group.predicate)}
      </h3>
      {group.active.map((fact) => (
        <CurrentFact key={fact.id} fact={fact} everyFact={everyFact} isFrozen={isFrozen} />
      ))}
      {group.past.length === 0 ? null : (
        <ol class="history" aria-label={t('history')}>
          {group.past.map((fact) => (
            <PastFact key={fact.id} fact={fact} isFrozen={isFrozen} />
          ))}
        </ol>
      )}
    </article>
  );
}

function PastFact({ fact, isFrozen }: { fact: FactOutput; isFrozen: boolean }) {
  const decision = decisionOf(fact);
  return (
    <li data-fact={fact.id} tabIndex={-1}>
      <Value fact={fact} />
      <span class="about">
        {spanOf(fact)}
        {decision === undefined ? '' : ` · ${t(decision)}`}
      </span>
      <div class="fact-actions">
        {decision === undefined || isFrozen ? null : (
          <button type="button" class="quiet" onClick={() => undoFact(fact)}>
            {t('restore')}
          </button>
        )}
        <FactDetails fact={fact} isFrozen={isFrozen} />
      </div>
    </li>
  );
}

/** From when to when it was so. What never was so has no time. */
function spanOf({ created_at, superseded_at, changes }: FactOutput): string {
  const last = changes?.at(-1);
  if (last?.kind === 'retracted' && last.until === undefined) return t('saidOn', { day: day(created_at) });
  return `${day(created_at)} – ${superseded_at === null ? '?' : day(superseded_at)}`;
}

/** What the person decided about it, which can be taken back. */
function decisionOf({ superseded_by_hand: hand, changes }: FactOutput) {
  const last = changes?.at(-1);
  if (last?.kind === 'corrected') return 'changeCorrected';
  if (last?.kind === 'retracted') return last.until === undefined ? 'changeRetracted' : 'changeEnded';
  return hand ? 'byHand' : undefined;
}
