import { useState } from 'preact/hooks';
import { authorization, reach } from '../../api.js';
import { Failure } from '../../components/notice.js';
import { t } from '../../strings/text.js';
import { type Selection, SelectionFields } from './selection-fields.js';

const formats = { jsonl: 'exportJsonl', markdown: 'exportMarkdown', html: 'exportHtml' } as const;

/** Everything, or what the fields select, as a file. */
export function ExportPanel() {
  const [failure, setFailure] = useState<Error>();
  const [selection, setSelection] = useState<Selection>({});
  const [isBusy, setBusy] = useState(false);
  const fetchFile = async (address: string): Promise<void> => {
    setFailure(undefined);
    setBusy(true);
    await download(address).catch(setFailure);
    setBusy(false);
  };
  const signedIn = 'authorization' in authorization();
  return (
    <section class="card export">
      <h2>{t('export')}</h2>
      <p class="about">{t('exportAbout')}</p>
      <div class="fields">
        <SelectionFields selection={selection} onChange={setSelection} />
      </div>
      <p class="actions">
        {Object.entries(formats).map(([format, label]) =>
          signedIn ? (
            <button
              key={format}
              type="button"
              disabled={isBusy}
              onClick={() => fetchFile(addressOf(format, selection))}
            >
              {t(label)}
            </button>
          ) : (
            <a key={format} class="button" href={addressOf(format, selection)} download>
              {t(label)}
            </a>
          ),
        )}
      </p>
      {isBusy ? (
        <p role="status">
          <progress aria-label={t('loading')} /> {t('loading')}
        </p>
      ) : null}
      {failure === undefined ? null : <Failure error={failure} />}
    </section>
  );
}

function addressOf(format: string, { tags = [], ...plain }: Selection): string {
  const query = [['format', format], ...Object.entries(plain), ...tags.map((tag) => ['tags', tag])];
  return `/memory/export?${new URLSearchParams(query)}`;
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
