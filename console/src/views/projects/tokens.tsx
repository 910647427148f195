import { get, post } from '../../api.js';
import type { Key } from '../../strings/en.js';
import { day, t } from '../../strings/text.js';
import { answerIn, useCall } from '../../use-call.js';

interface Token {
  token_id: string;
  token_prefix: string;
  display_name?: string;
  scopes: string[];
  expires_at?: string;
  revoked_at?: string;
  last_used_at?: string;
  current: boolean;
}

/** What a token may do, in words. */
export const scopeNames = {
  'memory:read': 'scopeRead',
  'memory:write': 'scopeWrite',
  'memory:manage': 'scopeManage',
} as const satisfies Record<string, Key>;

function scopeName(scope: string): string {
  const known: Readonly<Record<string, Key>> = { ...scopeNames, 'service:operate': 'scopeOperate' };
  const key = known[scope];
  return key === undefined ? scope : t(key);
}

/** The user's own tokens. Without authentication there are none, and nothing is shown. */
export function Tokens({ onFailure }: { onFailure: (error: Error | undefined) => void }) {
  const called = useCall('tokens', (signal) => get<{ results: Token[] }>('/memory/tokens', { signal }));
  const tokens = (answerIn(called)?.results ?? []).filter(({ revoked_at }) => revoked_at === undefined);
  if (tokens.length === 0) return null;
  const revoke = (token_id: string): void => {
    onFailure(undefined);
    post('/memory/tokens/revoke', { token_id }).then(called.reload, onFailure);
  };
  return (
    <>
      <h2>{t('tokens')}</h2>
      <p class="about">{t('tokensAbout')}</p>
      <ul class="plain-list tokens">
        {tokens.map((token) => (
          <li key={token.token_id} class="card">
            <strong>{token.display_name ?? token.token_id}</strong> {token.current ? <Current /> : null}
            <p class="about">{detailsOf(token).join(' · ')}</p>
            {token.current ? null : (
              <button
                type="button"
                aria-label={`${t('revoke')}: ${token.display_name ?? token.token_id}`}
                onClick={() => revoke(token.token_id)}
              >
                {t('revoke')}
              </button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function Current() {
  return <span class="state ok">{t('currentToken')}</span>;
}

function detailsOf({ token_prefix, scopes, last_used_at, expires_at }: Token): string[] {
  return [
    `${token_prefix}…`,
    scopes.map(scopeName).join(', '),
    last_used_at === undefined ? t('neverUsed') : t('lastUsed', { day: day(last_used_at) }),
    ...(expires_at === undefined ? [] : [t('expires', { day: day(expires_at) })]),
  ];
}
