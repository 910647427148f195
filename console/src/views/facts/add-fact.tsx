import { useRef, useState } from 'preact/hooks';
import { Combobox } from '../../components/combobox.js';
import { t } from '../../strings/text.js';
import { addFact } from './changing.js';
import { offeredPredicates, predicateFor } from './predicates.js';

interface AddFactProps {
  label: string;
  /** Whom it is about; asked for where it is not given. */
  subject?: string;
}

/** A button, and below it the form while it is open. */
export function AddFact({ label, ...about }: AddFactProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class="add-fact"
        aria-expanded={isOpen}
        onClick={() => (isOpen ? close() : setOpen(true))}
      >
        + {label}
      </button>
      {isOpen ? <FactForm label={label} {...about} onClose={close} /> : null}
    </>
  );
}

/** A fact entered by hand. What it says is found by typing, or is whatever was typed. */
function FactForm({ label, subject: given, onClose }: AddFactProps & { onClose: () => void }) {
  const [subject, setSubject] = useState('');
  const [what, setWhat] = useState('');
  const [value, setValue] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const offered = offeredPredicates();
  const save = async (): Promise<void> => {
    const predicate = predicateFor(what, offered);
    if (predicate === undefined) return setProblem(t('factWhatMissing'));
    if (value.trim() === '') return setProblem(t('factValueMissing'));
    setProblem(undefined);
    setSaving(true);
    const about = given ?? (subject.trim() === '' ? 'user' : subject.trim());
    const isAdded = await addFact({ subject: about, predicate, value: value.trim() });
    setSaving(false);
    if (isAdded) onClose();
  };
  return (
    <form
      class="card fact-form add-form"
      aria-label={label}
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
      <div class="fields">
        <Combobox
          label={t('factWhat')}
          placeholder={t('factWhatExample')}
          value={what}
          offered={offered.map(({ label }) => label)}
          onChange={setWhat}
        />
        <label class="field">
          {t('factValue')}
          <input
            value={value}
            maxLength={1_000}
            autocomplete="off"
            onInput={(event) => setValue(event.currentTarget.value)}
          />
        </label>
        {given === undefined ? (
          <label class="field">
            {t('factSubject')}
            <input
              value={subject}
              maxLength={1_000}
              placeholder={t('factSubjectMe')}
              autocomplete="off"
              onInput={(event) => setSubject(event.currentTarget.value)}
            />
          </label>
        ) : null}
      </div>
      {problem === undefined ? null : (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <div class="fact-buttons">
        <button type="submit" class="primary" disabled={isSaving}>
          {t('addFactNow')}
        </button>
        <button type="button" class="quiet" onClick={onClose}>
          {t('cancel')}
        </button>
      </div>
    </form>
  );
}
