import { useEffect, useState } from 'preact/hooks';
import { keepToken } from '../session.js';
import { t } from '../strings/text.js';

/** Asks for a token. It stays in this tab, and closing the tab forgets it. */
export function SignIn({ refused, onSignedIn }: { refused: boolean; onSignedIn: () => void }) {
  const [value, setValue] = useState('');
  return (
    <section class="page sign-in">
      <h1>{t('signIn')}</h1>
      <p>{t('signInAbout')}</p>
      {refused ? (
        <p class="notice failure" role="alert">
          {t('signInRefused')}
        </p>
      ) : null}
      <form
        class="successor"
        onSubmit={(event) => {
          event.preventDefault();
          if (value.trim() === '') return;
          keepToken(value.trim());
          onSignedIn();
        }}
      >
        <input
          type="password"
          aria-label={t('token')}
          placeholder="tk_…"
          value={value}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setValue(event.currentTarget.value)}
        />
        <button type="submit" class="primary">
          {t('signIn')}
        </button>
      </form>
      <ConnectLink />
    </section>
  );
}

/** The page for signing in with an account is there only where the service is set up for it. */
function ConnectLink() {
  const [there, setThere] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    fetch('/connect', { signal: stop.signal }).then(
      ({ ok }) => setThere(ok),
      // Without a response there is no link; the token form still works.
      () => undefined,
    );
    return () => stop.abort();
  }, []);
  return there ? (
    <p>
      <a href="/connect">{t('signInConnect')}</a>
    </p>
  ) : null;
}
