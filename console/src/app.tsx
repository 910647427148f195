import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { KeyHelp } from './components/key-help.js';
import { SignIn } from './components/sign-in.js';
import { goTo, linkTo, usePlace, type ViewProps } from './router.js';
import { keepToken, token } from './session.js';
import { changeLanguage, type Language, languageNow, languages, t } from './strings/text.js';
import { applyTheme, chooseTheme, type Theme, themeNow } from './theme.js';
import { useKeys } from './use-keys.js';
import { AskView } from './views/ask-view.js';
import { FactsView } from './views/facts/facts-view.js';
import { HealthView } from './views/health-view.js';
import { KeepView } from './views/keep/keep-view.js';
import { ProjectsView } from './views/projects/projects-view.js';
import { ReviewView } from './views/review/review-view.js';
import { SearchView } from './views/search/search-view.js';
import { TimelineView } from './views/timeline-view.js';

/** Every view: its name in the address, its name in the menu, what draws it. */
const views = [
  { name: 'search', label: 'search', view: SearchView },
  { name: 'ask', label: 'ask', view: AskView },
  { name: 'timeline', label: 'timeline', view: TimelineView },
  { name: 'facts', label: 'facts', view: FactsView },
  { name: 'review', label: 'review', view: ReviewView },
  { name: 'projects', label: 'projects', view: ProjectsView },
  { name: 'keep', label: 'keep', view: KeepView },
  { name: 'health', label: 'health', view: HealthView },
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
  const jumps = views.map(({ name }, index) => [String(index + 1), () => goTo(linkTo(name))]);
  useKeys({ ...Object.fromEntries(jumps), '/': goToSearch, '?': () => setHelp(true) });
  useEffect(() => applyTheme(), []);
  useEffect(() => {
    document.documentElement.lang = languageNow();
    document.title = `${t(current.label)} · Threadkeep`;
    // On a phone the menu scrolls sideways.
    document.querySelector('header [aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [current]);
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
              {t(label)}
            </a>
          ))}
        </nav>
        <Preferences onHelp={() => setHelp(true)} onSignOut={session.signOut} />
      </header>
      <main id="content" tabIndex={-1}>
        {session.signedOut ? (
          <SignIn refused={session.refused} onSignedIn={session.signIn} />
        ) : (
          <View key={session.round} place={place} />
        )}
      </main>
      {help ? <KeyHelp onClose={() => setHelp(false)} /> : null}
    </>
  );
}

/** The hash is the address of the view, so the browser's own jump cannot be used. */
function focusContent(): void {
  document.getElementById('content')?.focus();
}

/** From anywhere; the search view itself listens for the key as well, to keep what is in the address. */
function goToSearch(): void {
  if (document.querySelector('.search .query') !== null) return;
  goTo(linkTo('search'));
  setTimeout(() => document.querySelector<HTMLElement>('.search .query')?.focus());
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

function Preferences({ onHelp, onSignOut }: { onHelp: () => void; onSignOut: () => void }) {
  return (
    <div class="preferences">
      {token() === undefined ? null : (
        <button type="button" class="quiet" onClick={onSignOut}>
          {t('signOut')}
        </button>
      )}
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
