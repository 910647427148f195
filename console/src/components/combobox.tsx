import { useId, useState } from 'preact/hooks';
import { focusOnce } from './focus-once.js';

interface ComboboxProps {
  label: string;
  placeholder?: string;
  value: string;
  offered: readonly string[];
  onChange: (value: string) => void;
}

const mostShown = 8;

/** A field that offers what fits as one types. Anything else may be typed as well. */
export function Combobox({ label, placeholder, value, offered, onChange }: ComboboxProps) {
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const list = useId();
  const choices = isOpen ? fitting(offered, value) : [];
  const take = (choice: string): void => {
    onChange(choice);
    setOpen(false);
  };
  const move = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const choice = choices[at];
    if (step !== 0) {
      event.preventDefault();
      if (!isOpen) setOpen(true);
      else if (choices.length > 0) setAt((at + step + choices.length) % choices.length);
    } else if (event.key === 'Enter' && choice !== undefined) {
      event.preventDefault();
      take(choice);
    } else if (event.key === 'Escape' && choices.length > 0) {
      // Closes the list; the next Escape is for the form.
      event.stopPropagation();
      setOpen(false);
    }
  };
  return (
    <div class="field combobox">
      <label for={`${list}-field`}>{label}</label>
      <input
        ref={focusOnce}
        id={`${list}-field`}
        role="combobox"
        aria-expanded={choices.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={choices[at] === undefined ? undefined : `${list}-${at}`}
        placeholder={placeholder}
        value={value}
        autocomplete="off"
        onInput={(event) => {
          onChange(event.currentTarget.value);
          setOpen(true);
          setAt(-1);
        }}
        onKeyDown={move}
        onBlur={() => setOpen(false)}
      />
      <div id={list} role="listbox" aria-label={label} hidden={choices.length === 0}>
        {choices.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field above, which keeps the focus.
          // biome-ignore lint/a11y/useFocusableInteractive: as above.
          <div
            key={choice}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === at}
            // The field would lose the focus before the click, and with it the list.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(choice)}
          >
            {choice}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Those that have what was typed in them; what begins with it comes first. */
function fitting(offered: readonly string[], typed: string): string[] {
  const words = typed.trim().toLocaleLowerCase();
  const named = [...new Set(offered)].map((choice) => ({ choice, name: choice.toLocaleLowerCase() }));
  return named
    .filter(({ name }) => name.includes(words) && name !== words)
    .sort((one, other) => Number(other.name.startsWith(words)) - Number(one.name.startsWith(words)))
    .map(({ choice }) => choice)
    .slice(0, mostShown);
}
