import { useEffect, useRef, useState } from 'preact/hooks';
import type { FactOutput } from '../../../../src/operations/facts/present.js';
import { focusOnce } from '../../components/focus-once.js';
import type { Key } from '../../strings/en.js';
import { ago, day, t } from '../../strings/text.js';
import { correctFact, pinFact } from './changing.js';
import { EndFact } from './end-fact.js';
import { Value } from './evidence.js';
import { FactDetails } from './fact-details.js';

interface CurrentFactProps {
  fact: FactOutput;
  everyFact: readonly FactOutput[];
  isFrozen: boolean;
}

const confidences = {
  high: 'confidenceHigh',
  medium: 'confidenceMedium',
  low: 'confidenceLow',
} as const satisfies Record<FactOutput['confidence'], Key>;

type Step = 'correct' | 'end' | undefined;

/** A fact that holds, with what can be done about it. */
export function CurrentFact({ fact, everyFact, isFrozen }: CurrentFactProps) {
  const [step, setStep] = useState<Step>();
  const [before, setBefore] = useState<Step>();
  const buttons = useRef<Partial<Record<'correct' | 'end', HTMLButtonElement | null>>>({});
  const close = (): void => {
    setBefore(step);
    setStep(undefined);
  };
  // Given up, the form gives the focus back to the button it came from.
  useEffect(() => {
    if (step === undefined && before !== undefined) buttons.current[before]?.focus();
  }, [step, before]);
  const isPinned = fact.pinned_at !== undefined;
  return (
    <div class="fact" data-fact={fact.id} tabIndex={-1}>
      {step === 'correct' ? (
        <CorrectFact fact={fact} onClose={close} />
      ) : (
        <p>
          <Value fact={fact} />{' '}
          {isPinned ? (
            <span class="state ok" title={day(fact.pinned_at ?? '')}>
              {t('pinned')}
            </span>
          ) : null}{' '}
          {fact.confidence === 'high' ? null : (
            <span class={`state confidence-${fact.confidence}`}>{t(confidences[fact.confidence])}</span>
          )}
        </p>
      )}
      <p class="about">
        <Times fact={fact} />
      </p>
      <div class="fact-actions">
        {isFrozen ? null : (
          <>
            {/* Topics are counted by the service, so there is no value to correct. */}
            {fact.predicate === 'recurring_topic' || step === 'correct' ? null : (
              <button
                ref={(element) => {
                  buttons.current.correct = element;
                }}
                type="button"
                class="quiet"
                onClick={() => setStep('correct')}
              >
                {t('correct')}
              </button>
            )}
            <button
              ref={(element) => {
                buttons.current.end = element;
              }}
              type="button"
              class="quiet"
              aria-expanded={step === 'end'}
              onClick={() => (step === 'end' ? close() : setStep('end'))}
            >
              {t('supersede')}
            </button>
            <button type="button" class="quiet" aria-pressed={isPinned} onClick={() => pinFact(fact, isPinned)}>
              {t(isPinned ? 'unpin' : 'pin')}
            </button>
          </>
        )}
        <FactDetails fact={fact} isFrozen={isFrozen} />
      </div>
      {step === 'end' ? <EndFact fact={fact} everyFact={everyFact} onClose={close} /> : null}
    </div>
  );
}

/** Since when it is known, and when it was last said. */
function Times({ fact: { created_at, last_confirmed_at, sources } }: { fact: FactOutput }) {
  if (sources.length === 0) {
    return <time dateTime={created_at}>{t('enteredOn', { day: day(created_at) })}</time>;
  }
  const isSaidOnce = created_at.slice(0, 10) === last_confirmed_at.slice(0, 10);
  return (
    <>
      <time dateTime={created_at}>{t(isSaidOnce ? 'saidOn' : 'since', { day: day(created_at) })}</time>
      {isSaidOnce ? null : (
        <>
          {' · '}
          <time dateTime={last_confirmed_at} title={day(last_confirmed_at)}>
            {t('confirmed', { when: ago(last_confirmed_at) })}
          </time>
        </>
      )}
    </>
  );
}

function CorrectFact({ fact, onClose }: { fact: FactOutput; onClose: () => void }) {
  const [value, setValue] = useState(fact.object_normalized);
  const [isSaving, setSaving] = useState(false);
  const save = async (): Promise<void> => {
    const right = value.trim();
    if (right === '' || right === fact.object_normalized) return onClose();
    setSaving(true);
    if (await correctFact(fact, right)) onClose();
    setSaving(false);
  };
  return (
    <form
      class="fact-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      <input
        ref={focusOnce}
        aria-label={t('rightValue')}
        value={value}
        maxLength={1_000}
        autocomplete="off"
        onInput={(event) => setValue(event.currentTarget.value)}
      />
      <button type="submit" class="primary" disabled={isSaving}>
        {t('save')}
      </button>
      <button type="button" class="quiet" onClick={onClose}>
        {t('cancel')}
      </button>
    </form>
  );
}
