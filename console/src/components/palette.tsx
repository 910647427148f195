import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ConversationList } from '../../../src/operations/conversations/list.js';
import { post } from '../api.js';
import { goTo, linkTo } from '../router.js';
import type { Key } from '../strings/en.js';
import { changeLanguage, type Language, languageNow, languages, lately, t } from '../strings/text.js';
import { chooseTheme } from '../theme.js';
import { answerIn, useCall } from '../use-call.js';
import { savedSearches, searchLink, searchName } from '../views/search/saved-searches.js';

interface PaletteProps {
  views: readonly { name: string; label: Key }[];
  onClose: () => void;
  onHelp: () => void;
}

interface Choice {
  id: string;
  group: Key;
  label: string;
  about?: string;
  run: () => void;
}

const recentCount = 30;
const shownCount = 12;

/** The command palette: views, recent conversations, actions, and a search for the typed text. */
export function Palette({ views, onClose, onHelp }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  useEffect(() => dialog.current?.showModal(), []);
  const recent = useCall('palette', (signal) =>
    post<ConversationList>('/memory/conversations/list', { limit: recentCount }, { signal }),
  );
  const conversations = answerIn(recent)?.results;
  const everything = useMemo(
    () => [...viewChoices(views), ...savedChoices(), ...actionChoices(onHelp), ...recentChoices(conversations ?? [])],
    [views, conversations],
  );
  const choices = [...fitting(everything, typed), ...(typed.trim() === '' ? [] : wordChoices(typed.trim()))];
  const chosen = Math.min(at, choices.length - 1);
  const take = (choice: Choice | undefined): void => {
    if (choice === undefined) return;
    dialog.current?.close();
    choice.run();
  };
  const move = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setAt((chosen + step + choices.length) % choices.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      take(choices[chosen]);
    }
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the key for it, and the browser's own.
    <dialog
      ref={dialog}
      class="palette"
      aria-label={t('palette')}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      <input
        role="combobox"
        aria-label={t('palette')}
        aria-expanded="true"
        aria-controls="palette-choices"
        aria-activedescendant={choices[chosen] === undefined ? undefined : `choice-${chosen}`}
        placeholder={t('palettePlaceholder')}
        value={typed}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={move}
      />
      <div id="palette-choices" role="listbox" aria-label={t('palette')}>
        {choices.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field above, which keeps the focus.
          // biome-ignore lint/a11y/useFocusableInteractive: as above.
          <div
            key={choice.id}
            id={`choice-${index}`}
            role="option"
            aria-selected={index === chosen}
            ref={index === chosen ? keepInSight : null}
            onClick={() => take(choice)}
          >
            <span class="choice-label">{choice.label}</span>
            <span class="about">{choice.about ?? t(choice.group)}</span>
          </div>
        ))}
      </div>
    </dialog>
  );
}

function keepInSight(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}

function savedChoices(): Choice[] {
  return savedSearches().map((search) => ({
    id: `saved ${searchLink(search)}`,
    group: 'savedSearches',
    label: searchName(search),
    run: () => goTo(searchLink(search)),
  }));
}

function viewChoices(views: PaletteProps['views']): Choice[] {
  return views.map(({ name, label }) => ({
    id: `view ${name}`,
    group: 'nav',
    label: t(label),
    run: () => goTo(linkTo(name)),
  }));
}

function actionChoices(onHelp: () => void): Choice[] {
  const others = Object.entries(languages).filter(([code]) => code !== languageNow());
  const themes = { auto: 'themeAuto', light: 'themeLight', dark: 'themeDark' } as const;
  const actions: [string, string, () => void][] = [
    ['keys', t('keys'), onHelp],
    ...Object.entries(themes).map(([theme, label]): [string, string, () => void] => [
      `theme ${theme}`,
      `${t('theme')}: ${t(label)}`,
      () => chooseTheme(theme as keyof typeof themes),
    ]),
    ...others.map(([code, { language }]): [string, string, () => void] => [
      `language ${code}`,
      `${t('chooseLanguage')}: ${language}`,
      () => changeLanguage(code as Language),
    ]),
  ];
  return actions.map(([id, label, run]) => ({ id, group: 'actions', label, run }));
}

function recentChoices(results: ConversationList['results']): Choice[] {
  return results.map(({ id, title, source, timestamp }) => ({
    id,
    group: 'recent',
    label: title ?? t('untitled'),
    about: `${source} · ${lately(timestamp)}`,
    run: () => goTo(linkTo('search', { open: id })),
  }));
}

function wordChoices(typed: string): Choice[] {
  return [
    {
      id: 'search',
      group: 'search',
      label: t('searchFor', { words: typed }),
      run: () => goTo(linkTo('search', { q: typed })),
    },
    { id: 'ask', group: 'ask', label: t('askFor', { words: typed }), run: () => goTo(linkTo('ask', { q: typed })) },
  ];
}

/** Those whose name has every word that was typed; what begins with it comes first. */
function fitting(choices: readonly Choice[], typed: string): Choice[] {
  const words = typed.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const named = choices.map((choice) => ({ choice, name: choice.label.toLocaleLowerCase() }));
  const found = named.filter(({ name }) => words.every((word) => name.includes(word)));
  const [first = ''] = words;
  return found
    .sort((one, other) => Number(other.name.startsWith(first)) - Number(one.name.startsWith(first)))
    .map(({ choice }) => choice)
    .slice(0, words.length === 0 ? shownCount + 8 : shownCount);
}
