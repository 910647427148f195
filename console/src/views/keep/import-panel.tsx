import { useEffect, useRef, useState } from 'preact/hooks';
import { tellChange } from '../../changes.js';
import { Failure } from '../../components/notice.js';
import { useDropped } from '../../dropped.js';
import { linkTo } from '../../router.js';
import { duration, number, t } from '../../strings/text.js';
import { cancelImport, followed, formats, type ImportJob, type Report, sendFile, unfinished } from './import-file.js';
import { broughtNothing } from './import-history.js';
import { type Look, paceOf, withLook } from './pace.js';

interface Shown {
  name: string;
  read: number;
  looks: readonly Look[];
  total?: number;
  /** Known once the service has the file. */
  id?: string;
  report?: Report;
  cancelled?: boolean;
  error?: Error;
}

/** Files dropped or chosen go in one after the other; each shows how far it is, also after this page was closed. */
export function ImportPanel() {
  const [format, setFormat] = useState<string>('auto');
  const [jobs, setJobs] = useState<readonly Shown[]>([]);
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const queue = useRef(Promise.resolve());
  const follow = async (name: string, begin: () => Promise<ImportJob>): Promise<void> => {
    let latest: Shown = { name, read: 0, looks: [] };
    const first = latest;
    const show = (changes: Partial<Shown>): void => {
      const before = latest;
      latest = { ...latest, ...changes };
      setJobs((all) => all.map((each) => (each === before ? latest : each)));
    };
    setJobs((all) => [first, ...all]);
    try {
      const begun = await begin();
      // The history shows it from its beginning.
      tellChange();
      const { report, state } = await followed(begun, (job) => show(seen(latest, job)));
      show({ read: report.read, report, cancelled: state === 'cancelled' });
      tellChange();
    } catch (error) {
      show({ error: error instanceof Error ? error : new Error(String(error)) });
    }
  };
  const take = (files: readonly File[]): void => {
    for (const file of files) {
      const begun = queue.current;
      queue.current = follow(file.name, () => begun.then(() => sendFile(file, format)));
    }
  };
  useEffect(() => {
    unfinished()
      .then((left) => {
        for (const job of left) void follow(job.filename ?? t('import'), async () => job);
      })
      // Without the right to import there are none to show.
      .catch(() => undefined);
  }, []);
  useDropped(take);
  return (
    <section class="card">
      <h2>{t('import')}</h2>
      <p class="about">{t('importAbout')}</p>
      <label class="field">
        {t('importFormat')}
        <select value={format} onChange={(event) => setFormat(event.currentTarget.value)}>
          <option value="auto">{t('importAuto')}</option>
          {Object.entries(formats).map(([name, label]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        class={over ? 'drop over' : 'drop'}
        onClick={() => input.current?.click()}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          take([...(event.dataTransfer?.files ?? [])]);
        }}
      >
        {t('importDrop')}
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('importDrop')}
        onChange={(event) => {
          take([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
        }}
      />
      <ul class="plain-list" aria-live="polite">
        {jobs.map((job, index) => (
          <li key={jobs.length - index} data-import={job.name}>
            <strong>{job.name}</strong> <Outcome job={job} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** How far it is now. Only a running import has a pace: what waits would make the rate look slower. */
function seen({ looks }: Shown, { id, state, total, report: { read } }: ImportJob): Partial<Shown> {
  const next = state === 'running' ? withLook(looks, { at: Date.now(), read }) : looks;
  return { id, read, looks: next, ...(total === undefined ? {} : { total }) };
}

/** How many of how many, how fast, and how long the rest takes. */
function Progress({ job: { read, total, looks } }: { job: Shown }) {
  const pace = paceOf(looks, total);
  const parts = [
    total === undefined ? t('importRead', { n: read }) : t('importReadOf', { n: total, read: number(read) }),
    ...(pace === undefined ? [] : [t('importRate', { rate: number(Math.max(1, Math.round(pace.perSecond))) })]),
    ...(pace?.secondsLeft === undefined ? [] : [t('importLeft', { time: duration(pace.secondsLeft) })]),
  ];
  return (
    <>
      {total === undefined || total === 0 ? (
        <progress aria-label={t('importing')} />
      ) : (
        <progress aria-label={t('importing')} max={total} value={Math.min(read, total)} />
      )}{' '}
      <span class="about">{parts.join(' · ')}</span>{' '}
    </>
  );
}

function Outcome({ job }: { job: Shown }) {
  const { id, report, cancelled, error } = job;
  if (error !== undefined) return <Failure error={error} />;
  if (report === undefined) {
    return (
      <>
        <Progress job={job} />
        {id !== undefined && (
          <button type="button" class="quiet" onClick={() => void cancelImport(id)}>
            {t('importCancel')}
          </button>
        )}
      </>
    );
  }
  const { imported, appended, duplicates, skipped, reasons } = report;
  const nothing = cancelled !== true && broughtNothing(report);
  return (
    <>
      <span class={`state ${nothing ? 'failing' : cancelled === true ? '' : 'ok'}`}>
        {t(cancelled === true ? 'importCancelled' : nothing ? 'importNothing' : 'importDone')}
      </span>{' '}
      <span>{t('importReport', { imported: number(imported), appended, duplicates, skipped })}</span>{' '}
      {nothing ? null : <a href={linkTo('search')}>{t('look')}</a>}
      {Object.entries(reasons).map(([reason, times]) => (
        <p class="about" key={reason}>
          {times} × {reason}
        </p>
      ))}
    </>
  );
}
