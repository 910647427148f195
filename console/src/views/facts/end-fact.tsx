import { useState } from 'preact/hooks';
import type { FactOutput } from '../../../../src/operations/facts/present.js';
import { focusOnce } from '../../components/focus-once.js';
import { factName } from '../../strings/fact-name.js';
import { t } from '../../strings/text.js';
import { retractFact, supersedeFact } from './changing.js';

interface EndFactProps {
  fact: FactOutput;
  everyFact: readonly FactOutput[];
  onClose: () => void;
}

/** A fact is over since a day or since today, never was so, or another one took its place. */
export function EndFact({ fact, everyFact, onClose }: EndFactProps) {
  const today = new Date().toISOString().slice(0, 10);
  const [until, setUntil] = useState('');
  const finish = async (work: Promise<boolean>): Promise<void> => {
    if (await work) onClose();
  };
  const others = successorsOf(fact, everyFact);
  return (
    <form
      class="fact-form end-fact"
      onSubmit={(event) => {
        event.preventDefault();
        void finish(retractFact(fact, until === '' ? today : until));
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      <label class="field">
        {t('trueUntil')}
        <input
          ref={focusOnce}
          type="date"
          value={until}
          min={fact.created_at.slice(0, 10)}
          max={today}
          onInput={(event) => setUntil(event.currentTarget.value)}
        />
      </label>
      <div class="fact-buttons">
        <button type="submit" class="primary">
          {t('endIt')}
        </button>
        <button type="button" onClick={() => finish(retractFact(fact))}>
          {t('neverTrue')}
        </button>
        <button type="button" class="quiet" onClick={onClose}>
          {t('cancel')}
        </button>
      </div>
      {others.length === 0 ? null : (
        <Successor fact={fact} others={others} onChoose={(by) => finish(supersedeFact(fact, by))} />
      )}
    </form>
  );
}

interface SuccessorProps {
  fact: FactOutput;
  others: readonly FactOutput[];
  onChoose: (id: string) => void;
}

/** How many are offered at once: more are found by typing. */
const offered = 6;

function Successor({ fact, others, onChoose }: SuccessorProps) {
  const [typed, setTyped] = useState('');
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
        onKeyDown={(event) => {
          // Enter would end the fact, which is not what looking for another one means.
          if (event.key === 'Enter') event.preventDefault();
        }}
      />
      {fitting.slice(0, offered).map((other) => (
        <button key={other.id} type="button" onClick={() => onChoose(other.id)}>
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
