import { useId, useState } from 'preact/hooks';
import { number, t } from '../strings/text.js';

export interface Choice {
  value: string;
  label: string;
  /** How many conversations it stands for. */
  count: number;
}

interface PickerProps {
  label: string;
  name: string;
  choices: readonly Choice[];
  chosen: readonly string[];
  /** Only one can be chosen: the next one takes its place. */
  single?: boolean;
  onChange: (chosen: string[]) => void;
}

const mostShown = 8;

/** Finds one of many by typing. Only what there is can be chosen; what is chosen stands below as chips. */
export function Picker({ label, name, choices, chosen, single = false, onChange }: PickerProps) {
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const list = useId();
  const shown = isOpen ? fitting(choices, typed, chosen) : [];
  const take = (value: string): void => {
    onChange(single ? [value] : [...chosen, value]);
    setTyped('');
    setOpen(false);
    setAt(0);
  };
  const move = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const choice = shown[at];
    if (step !== 0) {
      event.preventDefault();
      if (!isOpen) setOpen(true);
      else if (shown.length > 0) setAt((at + step + shown.length) % shown.length);
    } else if (event.key === 'Enter') {
      // Never sends the form: what was typed is not yet chosen.
      event.preventDefault();
      if (choice !== undefined) take(choice.value);
    } else if (event.key === 'Escape' && isOpen) {
      event.stopPropagation();
      setOpen(false);
    } else if (event.key === 'Backspace' && typed === '' && chosen.length > 0) {
      onChange(chosen.slice(0, -1));
    }
  };
  const nameOf = (value: string): string => choices.find((choice) => choice.value === value)?.label ?? value;
  return (
    <div class="field combobox picker">
      <label for={`${list}-field`}>{label}</label>
      <input
        id={`${list}-field`}
        name={name}
        role="combobox"
        aria-expanded={shown.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={shown[at] === undefined ? undefined : `${list}-${at}`}
        placeholder={choices.length === 0 ? t('pickNone') : t('pickFind', { n: choices.length })}
        disabled={choices.length === 0}
        value={typed}
        autocomplete="off"
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setOpen(true);
          setAt(0);
        }}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onKeyDown={move}
        onBlur={() => {
          setOpen(false);
          setTyped('');
        }}
      />
      <div id={list} role="listbox" aria-label={label} hidden={shown.length === 0}>
        {shown.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field above, which keeps the focus.
          // biome-ignore lint/a11y/useFocusableInteractive: as above.
          <div
            key={choice.value}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === at}
            // The field would lose the focus before the click, and with it the list.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(choice.value)}
          >
            {choice.label} <span class="about">{number(choice.count)}</span>
          </div>
        ))}
      </div>
      {chosen.length === 0 ? null : (
        <span class="picked">
          {chosen.map((value) => (
            <span class="chip" key={value}>
              {nameOf(value)}
              <button
                type="button"
                aria-label={`${t('remove')}: ${nameOf(value)}`}
                onClick={() => onChange(chosen.filter((each) => each !== value))}
              >
                ×
              </button>
            </span>
          ))}
        </span>
      )}
    </div>
  );
}

/** Those that have what was typed in them, as they come: the most frequent first. */
function fitting(choices: readonly Choice[], typed: string, chosen: readonly string[]): Choice[] {
  const words = typed.trim().replace(/^#/, '').toLocaleLowerCase();
  const found: Choice[] = [];
  for (const choice of choices) {
    if (found.length === mostShown) break;
    const isMeant =
      choice.label.toLocaleLowerCase().includes(words) || choice.value.toLocaleLowerCase().includes(words);
    if (isMeant && !chosen.includes(choice.value)) found.push(choice);
  }
  return found;
}
