import { useRef, useState } from 'preact/hooks';
import { tellChange } from '../../changes.js';
import { Failure } from '../../components/notice.js';
import { useDropped } from '../../dropped.js';
import { linkTo } from '../../router.js';
import { number, t } from '../../strings/text.js';
import { formats, type ImportLine, importFile, type Report } from './import-file.js';

interface Job {
  name: string;
  read: number;
  report?: Report;
  error?: Error;
}

/** Files dropped or chosen go in one after the other; each shows how far it is. */
export function ImportPanel() {
  const [format, setFormat] = useState<string>('auto');
  const [jobs, setJobs] = useState<readonly Job[]>([]);
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const queue = useRef(Promise.resolve());
  const take = (files: readonly File[]): void => {
    for (const file of files) {
      const job: Job = { name: file.name, read: 0 };
      let latest = job;
      const show = (changes: Partial<Job>): void => {
        const before = latest;
        latest = { ...latest, ...changes };
        setJobs((all) => all.map((each) => (each === before ? latest : each)));
      };
      setJobs((all) => [job, ...all]);
      const onLine = (line: ImportLine): void => show({ read: line.read });
      queue.current = queue.current
        .then(() => importFile(file, format, onLine))
        .then((report) => {
          show({ read: report.read, report });
          tellChange();
        })
        .catch((error: Error) => show({ error }));
    }
  };
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

function Outcome({ job: { read, report, error } }: { job: Job }) {
  if (error !== undefined) return <Failure error={error} />;
  if (report === undefined) {
    return (
      <>
        <progress aria-label={t('importing')} /> <span class="about">{t('importRead', { n: read })}</span>
      </>
    );
  }
  const { imported, appended, duplicates, skipped, reasons } = report;
  return (
    <>
      <span class="state ok">{t('importDone')}</span>{' '}
      <span>{t('importReport', { imported: number(imported), appended, duplicates, skipped })}</span>{' '}
      <a href={linkTo('search')}>{t('look')}</a>
      {Object.entries(reasons).map(([reason, times]) => (
        <p class="about" key={reason}>
          {times} × {reason}
        </p>
      ))}
    </>
  );
}
