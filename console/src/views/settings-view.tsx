import { useState } from 'preact/hooks';
import type { Setting } from '../../../src/config/load.js';
import { ApiError, get } from '../api.js';
import { Failure, Waiting } from '../components/notice.js';
import { goTo, linkTo, type ViewProps } from '../router.js';
import type { Key } from '../strings/en.js';
import { t } from '../strings/text.js';
import { answerIn, useCall } from '../use-call.js';

const sourceWords = {
  default: 'sourceDefault',
  file: 'sourceFile',
  environment: 'sourceEnvironment',
  flag: 'sourceFlag',
} as const satisfies Record<NonNullable<Setting['source']>, Key>;

/** Every setting of the service: its value, where that comes from and how it is changed. Nothing is changed here. */
export function SettingsView({ place: { params } }: ViewProps) {
  const query = params.get('q') ?? '';
  const onlyChanged = params.get('changed') === '1';
  const called = useCall('config', (signal) => get<{ settings: Setting[] }>('/config', { signal }));
  const settings = answerIn(called)?.settings;
  const [isAll, setAll] = useState(false);
  if (called.kind === 'failed') return <Refused error={called.error} onRetry={called.reload} />;
  if (settings === undefined) return <Waiting />;
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const fitting = settings.filter(({ key, description, source, in_use }) => {
    const text = `${key} ${description}`.toLocaleLowerCase();
    if (onlyChanged && (source === undefined || source === 'default')) return false;
    // What is looked for by name is shown, also where it is not in use.
    return words.every((word) => text.includes(word)) && (in_use || isAll || words.length > 0);
  });
  const hidden = settings.filter(({ in_use }) => !in_use).length;
  const show = (next: { q?: string; changed?: string | undefined }): void =>
    goTo(linkTo('settings', { q: query, changed: onlyChanged ? '1' : undefined, ...next }), { replace: true });
  return (
    <section class="page settings">
      <h1>{t('settings')}</h1>
      <p class="about">{t('settingsAbout')}</p>
      <div class="fact-search">
        <input
          type="search"
          aria-label={t('findSetting')}
          placeholder={t('findSetting')}
          value={query}
          autocomplete="off"
          onInput={(event) => show({ q: event.currentTarget.value })}
        />
        <label class="tick">
          <input
            type="checkbox"
            checked={onlyChanged}
            onChange={() => show({ changed: onlyChanged ? undefined : '1' })}
          />
          {t('onlyChanged')}
        </label>
      </div>
      {fitting.length === 0 ? <p class="notice">{t('noSettings')}</p> : null}
      {sectionsOf(fitting).map(([section, some]) => (
        <section key={section}>
          <h2>
            <code>{section}</code> {some[0]?.in_use === false ? <span class="state">{t('notInUse')}</span> : null}
          </h2>
          <ul class="card setting-list">
            {some.map((setting) => (
              <SettingItem key={setting.key} setting={setting} />
            ))}
          </ul>
        </section>
      ))}
      {hidden > 0 && !isAll && words.length === 0 && !onlyChanged ? (
        <button type="button" class="more" onClick={() => setAll(true)}>
          {t('showUnused', { n: hidden })}
        </button>
      ) : null}
    </section>
  );
}

function SettingItem({ setting }: { setting: Setting }) {
  const { key, section, description, allowed, value, source, variable, secret, needs_restart } = setting;
  return (
    <li class="setting">
      <p class="setting-line">
        <code class="key">{key.startsWith(`${section}.`) ? key.slice(section.length + 1) : key}</code>
        <code class="setting-value">{secret && value === undefined ? t('secretNotSet') : shown(value)}</code>
        {source === undefined ? null : (
          <span class={source === 'default' ? 'state' : 'state ok'}>{t(sourceWords[source])}</span>
        )}
      </p>
      <p class="about">{withCode(description)}</p>
      <details class="fact-details">
        <summary>{t('details')}</summary>
        <dl class="setting-details">
          <dt>{t('settingAllowed')}</dt>
          <dd>{withCode(allowed)}</dd>
          <dt>{t('sourceDefault')}</dt>
          <dd>{shown(setting.default)}</dd>
          <dt>{t('settingKey')}</dt>
          <dd>
            <code>{key}</code>
          </dd>
          <dt>{t('sourceEnvironment')}</dt>
          <dd>
            <code>{variable}</code>
          </dd>
          <dt>{t('settingChange')}</dt>
          <dd>{t(needs_restart ? 'needsRestart' : 'atOnce')}</dd>
        </dl>
      </details>
    </li>
  );
}

/** The words of the documentation mark names with backticks. */
function withCode(text: string) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}

/** Values are shown as they are written in the file. */
function shown(value: unknown): string {
  if (value === undefined || value === '') return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function sectionsOf(settings: readonly Setting[]): [string, Setting[]][] {
  const sections = new Map<string, Setting[]>();
  for (const setting of settings) {
    const some = sections.get(setting.section) ?? [];
    some.push(setting);
    sections.set(setting.section, some);
  }
  return [...sections];
}

/** Settings are the operator's: a token without that right is told so plainly. */
function Refused({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (!(error instanceof ApiError) || error.status !== 403) return <Failure error={error} onRetry={onRetry} />;
  return (
    <section class="page settings">
      <h1>{t('settings')}</h1>
      <p class="notice">{t('settingsRefused')}</p>
    </section>
  );
}
