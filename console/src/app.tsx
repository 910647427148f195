import type { ComponentType } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { ConversationList } from '../../src/operations/conversations/list.js';
import { post } from './api.js';
import { useChanges } from './changes.js';
import { KeyHelp } from './components/key-help.js';
import { Palette } from './components/palette.js';
import { SignIn } from './components/sign-in.js';
import { catchDrops } from './dropped.js';
import { ForgettingToast } from './reading/forgetting.js';
import { goTo, linkTo, usePlace, type ViewProps } from './router.js';
import { keepToken, token } from './session.js';
import { changeLanguage, type Language, languageNow, languages, number, t } from './strings/text.js';
import { applyTheme, chooseTheme, type Theme, themeNow } from './theme.js';
import { UndoToast } from './undo-toast.js';
import { answerIn, useCall } from './use-call.js';
import { dialogIsOpen, useKeys } from './use-keys.js';
import { AskView } from './views/ask/ask-view.js';
import { ConnectView } from './views/connect/connect-view.js';
import { FactsView } from './views/facts/facts-view.js';
import { HealthView } from './views/health-view.js';
import { KeepView } from './views/keep/keep-view.js';
import { PeopleView } from './views/people/people-view.js';
import { ProjectsView } from './views/projects/projects-view.js';
import { ReviewView } from './views/review/review-view.js';
import { SearchView } from './views/search/search-view.js';
import { SettingsView } from './views/settings-view.js';
import { TimelineView } from './views/timeline/timeline-view.js';

/** Every view: its name in the address, its name in the menu, what draws it. */
const views = [
  { name: 'search', label: 'search', view: SearchView },
  { name: 'ask', label: 'ask', view: AskView },
  { name: 'timeline', label: 'timeline', view: TimelineView },
  { name: 'facts', label: 'facts', view: FactsView },
  { name: 'people', label: 'people', view: PeopleView },
  { name: 'review', label: 'review', view: ReviewView },
  { name: 'projects', label: 'projects', view: ProjectsView },
  { name: 'keep', label: 'keep', view: KeepView },
  { name: 'connect', label: 'connect', view: ConnectView },
  { name: 'health', label: 'health', view: HealthView },
  { name: 'settings', label: 'settings', view: SettingsView },
] as const satisfies readonly {
  name: string;
  label: Parameters<typeof t>[0];
  view: ComponentType<ViewProps>;
}[];

export function App() {
  const place = usePlace();
  const current = views.find(({ name }) => name === place.view) ?? views[0];
  const View: ComponentType<ViewProps> = current.view;
  const session = useSession();
  const [help, setHelp] = useState(false);
  const [palette, setPalette] = useState(false);
  usePaletteKey(() => setPalette(true));
  const waiting = useWaiting(current.name, session.signedOut);
  // There are ten digits: the last view is reached through the menu and the palette.
  const jumps = views.slice(0, 10).map(({ name }, index) => [String((index + 1) % 10), () => goTo(linkTo(name))]);
  useKeys({ ...Object.fromEntries(jumps), '/': goToSearch, '?': () => setHelp(true) });
  useEffect(() => applyTheme(), []);
  useEffect(() => catchDrops(), []);
  // Before other effects: what is opened inside a view has a title of its own.
  useLayoutEffect(() => {
    const asked = place.params.get('q')?.slice(0, 80);
    document.title = [...(asked ? [asked] : []), t(current.label), 'Threadkeep'].join(' · ');
  }, [place]);
  useEffect(() => {
    document.documentElement.lang = languageNow();
    // On a phone the menu scrolls sideways.
    document.querySelector('header [aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [current, waiting]);
  return (
    <>
      <button type="button" class="skip" onClick={focusContent}>
        {t('skip')}
      </button>
      <header class="shell">
        <a class="brand" href={linkTo('search')}>
          <img src="/icon.svg" alt="" width="24" height="24" />
          Threadkeep
        </a>
        <nav aria-label={t('nav')}>
          {views.map(({ name, label }) => (
            <a key={name} href={linkTo(name)} aria-current={name === current.name ? 'page' : undefined}>
              <span class="steady" data-label={t(label)}>
                {t(label)}
              </span>{' '}
              {name === 'review' && waiting > 0 ? <span class="badge">{number(waiting)}</span> : null}
            </a>
          ))}
        </nav>
        <Preferences onPalette={() => setPalette(true)} onHelp={() => setHelp(true)} onSignOut={session.signOut} />
      </header>
      <main id="content" tabIndex={-1}>
        {session.signedOut ? (
          <SignIn refused={session.refused} onSignedIn={session.signIn} />
        ) : (
          <View key={session.round} place={place} />
        )}
      </main>
      <ForgettingToast />
      <UndoToast />
      {help ? <KeyHelp onClose={() => setHelp(false)} /> : null}
      {palette ? (
        <Palette
          views={views}
          onClose={() => setPalette(false)}
          onHelp={() => {
            setPalette(false);
            setHelp(true);
          }}
        />
      ) : null}
    </>
  );
}

/** The hash is the address of the view, so the browser's own jump cannot be used. */
function focusContent(): void {
  document.getElementById('content')?.focus();
}

/** Ctrl or Command and K, also while typing. */
function usePaletteKey(show: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      if (!dialogIsOpen()) show();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}

/** From anywhere. Where the box is there already, what is in the address stays. */
function goToSearch(): void {
  const box = document.querySelector<HTMLElement>('search .query');
  box?.focus();
  if (box !== null) return;
  goTo(linkTo('search'));
  setTimeout(() => document.querySelector<HTMLElement>('search .query')?.focus());
}

/** Signed out means that the service asked for a token, or refused the one it got. */
function useSession() {
  const [state, setState] = useState({ signedOut: false, refused: false, round: 0 });
  useEffect(() => {
    const leave = (): void => {
      const refused = token() !== undefined;
      keepToken(undefined);
      // Several calls are refused at once; only the first of them still had the token.
      setState((before) => ({ ...before, signedOut: true, refused: refused || (before.signedOut && before.refused) }));
    };
    addEventListener('threadkeep:signed-out', leave);
    return () => removeEventListener('threadkeep:signed-out', leave);
  }, []);
  return {
    ...state,
    signIn: () => setState(({ round }) => ({ signedOut: false, refused: false, round: round + 1 })),
    signOut: () => {
      keepToken(undefined);
      setState(({ round }) => ({ signedOut: true, refused: false, round }));
    },
  };
}

const paletteKey = /Mac|iP/.test(navigator.platform) ? '⌘ K' : 'Ctrl K';

interface PreferencesProps {
  onPalette: () => void;
  onHelp: () => void;
  onSignOut: () => void;
}

function Preferences({ onPalette, onHelp, onSignOut }: PreferencesProps) {
  return (
    <div class="preferences">
      {token() === undefined ? null : (
        <button type="button" class="quiet sign-out" onClick={onSignOut}>
          {t('signOut')}
        </button>
      )}
      <button
        type="button"
        class="quiet palette-key"
        aria-label={`${t('palette')}: ${paletteKey}`}
        title={t('palette')}
        onClick={onPalette}
      >
        <kbd>{paletteKey}</kbd>
      </button>
      <button type="button" class="quiet help" aria-label={t('keys')} title={t('keys')} onClick={onHelp}>
        ?
      </button>
      <select
        aria-label={t('theme')}
        value={themeNow()}
        onChange={(event) => chooseTheme(event.currentTarget.value as Theme)}
      >
        <option value="auto">{t('themeAuto')}</option>
        <option value="light">{t('themeLight')}</option>
        <option value="dark">{t('themeDark')}</option>
      </select>
      <select
        aria-label={t('chooseLanguage')}
        value={languageNow()}
        onChange={(event) => changeLanguage(event.currentTarget.value as Language)}
      >
        {Object.entries(languages).map(([code, { language }]) => (
          <option key={code} value={code}>
            {language}
          </option>
        ))}
      </select>
    </div>
  );
}

/** How much waits for review. Asked again with every view, after what the view itself wants to know. */
function useWaiting(view: string, signedOut: boolean): number {
  const body = { memory_status: 'pending_review', limit: 1 };
  const called = useCall(
    `${view} ${signedOut}`,
    async (signal) =>
      signedOut ? 0 : (await post<ConversationList>('/memory/conversations/list', body, { signal })).total,
    { delay: 400 },
  );
  useChanges(called.reload);
  return answerIn(called) ?? 0;
}
