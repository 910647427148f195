import { useState } from 'preact/hooks';
import type { FactOutput } from '../../../../src/operations/facts/present.js';
import { post } from '../../api.js';
import { linkTo } from '../../router.js';
import type { Key } from '../../strings/en.js';
import { factName } from '../../strings/fact-name.js';
import { ago, day, t } from '../../strings/text.js';
import type { Group } from './families.js';

interface FactGroupProps {
  group: Group;
  everyFact: readonly FactOutput[];
  onChange: (work: Promise<unknown>) => void;
}

const confidences = {
  high: 'confidenceHigh',
  medium: 'confidenceMedium',
  low: 'confidenceLow',
} as const satisfies Record<FactOutput['confidence'], Key>;

/** One thing that is known: what holds now, and before it what held once. */
export function FactGroup({ group, everyFact, onChange }: FactGroupProps) {
  const restore = ({ id, project_id }: FactOutput): void =>
    onChange(post('/memory/facts/restore', { fact_id: id, project_id }));
  return (
    <article class="card fact-group">
      <h3>
        {group.subject === 'user' ? null : <span class="subject">{group.subject}</span>} {factName(group.predicate)}
      </h3>
      {group.active.map((fact) => (
        <ActiveFact key={fact.id} fact={fact} everyFact={everyFact} onChange={onChange} />
      ))}
      {group.past.length === 0 ? null : (
        <ol class="history" aria-label={t('history')}>
          {group.past.map((fact) => (
            <li key={fact.id} data-fact={fact.id}>
              <a href={statedAt(fact)}>{fact.object_normalized}</a>
              <span class="about">
                {day(fact.created_at)} – {fact.superseded_at === null ? '?' : day(fact.superseded_at)}
                {fact.superseded_by_hand ? ` · ${t('byHand')}` : ''}
              </span>
              {fact.superseded_by_hand ? (
                <button type="button" class="quiet" onClick={() => restore(fact)}>
                  {t('restore')}
                </button>
              ) : null}
            </li>
          ))}
        </ol>
      )}
    </article>
  );
}

function ActiveFact({ fact, everyFact, onChange }: Omit<FactGroupProps, 'group'> & { fact: FactOutput }) {
  const [choosing, setChoosing] = useState(false);
  const others = successorsOf(fact, everyFact);
  return (
    <div class="fact" data-fact={fact.id}>
      <p>
        <a class="value" href={statedAt(fact)} title={fact.confidence_reason}>
          {fact.object_normalized}
        </a>{' '}
        {fact.confidence === 'high' ? null : (
          <span class={`state confidence-${fact.confidence}`}>{t(confidences[fact.confidence])}</span>
        )}
      </p>
      <p class="about">
        <time dateTime={fact.last_confirmed_at} title={day(fact.last_confirmed_at)}>
          {t('confirmed', { when: ago(fact.last_confirmed_at) })}
        </time>
        {others.length === 0 ? null : (
          <button type="button" class="quiet" aria-expanded={choosing} onClick={() => setChoosing(!choosing)}>
            {t('supersede')}
          </button>
        )}
      </p>
      {choosing ? <Successor fact={fact} others={others} onChange={onChange} /> : null}
    </div>
  );
}

interface SuccessorProps {
  fact: FactOutput;
  others: readonly FactOutput[];
  onChange: (work: Promise<unknown>) => void;
}

/** How many are offered at once: more are found by typing. */
const offered = 6;

function Successor({ fact, others, onChange }: SuccessorProps) {
  const [typed, setTyped] = useState('');
  const { id: fact_id, project_id } = fact;
  const words = typed.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const named = ({ predicate, object_normalized }: FactOutput): string =>
    `${predicate === fact.predicate ? '' : `${factName(predicate)}: `}${object_normalized.slice(0, 80)}`;
  const fitting = others.filter((other) =>
    words.length === 0
      ? other.predicate === fact.predicate
      : words.every((word) => named(other).toLocaleLowerCase().includes(word)),
  );
  return (
    <fieldset class="bare successor">
      <legend>{t('supersededBy')}</legend>
      <input
        type="search"
        aria-label={t('findFact')}
        placeholder={t('findFact')}
        value={typed}
        autocomplete="off"
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      {fitting.slice(0, offered).map((other) => (
        <button
          key={other.id}
          type="button"
          onClick={() => onChange(post('/memory/facts/supersede', { fact_id, superseded_by: other.id, project_id }))}
        >
          {named(other)}
        </button>
      ))}
    </fieldset>
  );
}

/** The same thing first, then the newest: what replaces a value is mostly said after it. */
function successorsOf(fact: FactOutput, everyFact: readonly FactOutput[]): FactOutput[] {
  const near = ({ predicate }: FactOutput): number => (predicate === fact.predicate ? 0 : 1);
  return everyFact
    .filter(({ id, status, subject }) => id !== fact.id && status === 'active' && subject === fact.subject)
    .sort((one, other) => near(one) - near(other) || (one.stated_at > other.stated_at ? -1 : 1));
}

function statedAt({ sources }: FactOutput): string {
  const source = sources.at(-1);
  return linkTo('search', {
    open: source?.conversation_id,
    at: source === undefined ? '' : String(source.message_index),
  });
}
