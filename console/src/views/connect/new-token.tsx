import { useState } from 'preact/hooks';
import { t } from '../../strings/text.js';
import { scopeNames } from '../projects/tokens.js';
import { Copyable } from './copyable.js';

const lifetimes = { '30d': 'days30', '90d': 'days90', '365d': 'oneYear', '': 'noEnd' } as const;

/** Tokens are made on the command line; this puts the command together. */
export function NewToken() {
  const [user, setUser] = useState('');
  const [name, setName] = useState('');
  const [lifetime, setLifetime] = useState<string>('90d');
  const [scopes, setScopes] = useState<readonly string[]>(['memory:read', 'memory:write']);
  const words = [
    ...['threadkeep', 'admin', 'token', 'create', '--user', user.trim() === '' ? 'NAME' : quoted(user.trim())],
    ...(name.trim() === '' ? [] : ['--display-name', quoted(name.trim())]),
    ...(scopes.length === 0 ? [] : ['--scopes', scopes.join(',')]),
    ...(lifetime === '' ? [] : ['--expires-in', lifetime]),
  ];
  return (
    <details class="card new-token">
      <summary>{t('newToken')}</summary>
      <p class="about">{t('newTokenAbout')}</p>
      <div class="fields">
        <label class="field">
          {t('userName')}
          <input value={user} autocomplete="off" onInput={(event) => setUser(event.currentTarget.value)} />
        </label>
        <label class="field">
          {t('tokenName')}
          <input value={name} autocomplete="off" onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <label class="field">
          {t('validFor')}
          <select value={lifetime} onChange={(event) => setLifetime(event.currentTarget.value)}>
            {Object.entries(lifetimes).map(([value, label]) => (
              <option key={value} value={value}>
                {t(label)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <fieldset class="bare scopes">
        <legend>{t('tokenMay')}</legend>
        {Object.entries(scopeNames).map(([scope, label]) => (
          <label key={scope}>
            <input
              type="checkbox"
              checked={scopes.includes(scope)}
              onChange={() =>
                setScopes((before) =>
                  Object.keys(scopeNames).filter((each) => before.includes(each) !== (each === scope)),
                )
              }
            />{' '}
            {t(label)}
          </label>
        ))}
      </fieldset>
      {scopes.length === 0 ? <p class="problem">{t('noScope')}</p> : null}
      {scopes.length === 0 ? null : <Copyable label={t('copyCommand')} text={words.join(' ')} />}
    </details>
  );
}

/** As a shell takes it. */
function quoted(word: string): string {
  return /^[\w.@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
