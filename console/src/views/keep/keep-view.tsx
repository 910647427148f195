import { useState } from 'preact/hooks';
import { authorization, reach } from '../../api.js';
import { Failure } from '../../components/notice.js';
import { t } from '../../strings/text.js';
import { useSources } from '../../use-sources.js';
import { ForgetPanel } from './forget-panel.js';
import { ImportHistory } from './import-history.js';
import { ImportPanel } from './import-panel.js';

/** What comes in, what goes out, and what goes away for good. */
export function KeepView() {
  return (
    <section class="page keep">
      <h1>{t('keep')}</h1>
      <ImportPanel />
      <ImportHistory />
      <ExportPanel />
      <ForgetPanel />
    </section>
  );
}

const formats = { jsonl: 'exportJsonl', markdown: 'exportMarkdown' } as const;

function ExportPanel() {
  const [failure, setFailure] = useState<Error>();
  const [filters, setFilters] = useState<Record<string, string>>({});
  const sources = useSources(true);
  const set = (name: string, value: string): void => setFilters((before) => ({ ...before, [name]: value }));
  const address = (format: string): string => {
    const given = Object.entries(filters).filter(([, value]) => value !== '');
    return `/memory/export?${new URLSearchParams([['format', format], ...given])}`;
  };
  const signedIn = 'authorization' in authorization();
  return (
    <section class="card export">
      <h2>{t('export')}</h2>
      <p class="about">{t('exportAbout')}</p>
      <div class="fields">
        <label class="field">
          {t('source')}
          <select value={filters.source ?? ''} onChange={(event) => set('source', event.currentTarget.value)}>
            <option value="">{t('anySource')}</option>
            {sources.map((source) => (
              <option key={source} value={source}>
                {source}
              </option>
            ))}
          </select>
        </label>
        {(['date_from', 'date_to'] as const).map((name) => (
          <label key={name} class="field">
            {t(name === 'date_from' ? 'dateFrom' : 'dateTo')}
            <input type="date" value={filters[name] ?? ''} onInput={(event) => set(name, event.currentTarget.value)} />
          </label>
        ))}
      </div>
      <p class="actions">
        {Object.entries(formats).map(([format, label]) =>
          signedIn ? (
            <button key={format} type="button" onClick={() => download(address(format)).catch(setFailure)}>
              {t(label)}
            </button>
          ) : (
            <a key={format} class="button" href={address(format)} download>
              {t(label)}
            </a>
          ),
        )}
      </p>
      {failure === undefined ? null : <Failure error={failure} />}
    </section>
  );
}

/** A link cannot carry the token, so the file is fetched first. */
async function download(path: string): Promise<void> {
  const response = await reach(path, { headers: authorization() });
  if (!response.ok) throw new Error(response.statusText || String(response.status));
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'threadkeep.jsonl';
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
