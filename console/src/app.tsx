import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { linkTo, type Place, usePlace } from './router.js';
import { changeLanguage, type Language, languageNow, languages, t } from './strings/text.js';
import { applyTheme, chooseTheme, type Theme, themeNow } from './theme.js';
import { HealthView } from './views/health-view.js';
import { ReviewView } from './views/review-view.js';
import { SearchView } from './views/search/search-view.js';
import { TimelineView } from './views/timeline-view.js';

export interface ViewProps {
  place: Place;
}

/** Every view: its name in the address, its name in the menu, what draws it. */
const views = [
  { name: 'search', label: 'search', view: SearchView },
  { name: 'timeline', label: 'timeline', view: TimelineView },
  { name: 'review', label: 'review', view: ReviewView },
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
  useEffect(() => applyTheme(), []);
  useEffect(() => {
    document.documentElement.lang = languageNow();
    document.title = `${t(current.label)} · Threadkeep`;
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
        <Preferences />
      </header>
      <main id="content" tabIndex={-1}>
        <View place={place} />
      </main>
    </>
  );
}

/** The hash is the address of the view, so the browser's own jump cannot be used. */
function focusContent(): void {
  document.getElementById('content')?.focus();
}

function Preferences() {
  return (
    <div class="preferences">
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
