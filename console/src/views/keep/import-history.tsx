import { useEffect, useState } from 'preact/hooks';
import type { ImportJob } from '../../../../src/operations/imports/job.js';
import { ApiError, get } from '../../api.js';
import { useChanges } from '../../changes.js';
import { Failure } from '../../components/notice.js';
import type { Key } from '../../strings/en.js';
import { bytes, lately, moment, number, t } from '../../strings/text.js';
import { showFailed } from '../../undo-toast.js';
import { answerIn, useCall } from '../../use-call.js';
import { cancelImport, formats, type Report } from './import-file.js';
import { UndoImport } from './undo-import.js';

const stateWords = {
  queued: 'importQueued',
  running: 'importing',
  done: 'importDone',
  failed: 'importFailed',
  cancelled: 'importCancelled',
} as const satisfies Record<ImportJob['state'], Key>;

const stateClasses: Partial<Record<ImportJob['state'], string>> = { done: 'ok', failed: 'failing' };

const askEvery = 1_000;
const shownAtFirst = 10;

/** Every import the service remembers: what came of it, what was left out and why; one under way can be cancelled. */
export function ImportHistory() {
  const [round, setRound] = useState(0);
  const [most, setMost] = useState(shownAtFirst);
  const called = useCall(`imports ${round}`, (signal) => get<{ results: ImportJob[] }>('/memory/imports', { signal }));
  useChanges(called.reload);
  const jobs = answerIn(called)?.results ?? [];
  const isUnderWay = jobs.some(isOpen);
  useEffect(() => {
    if (!isUnderWay || called.kind !== 'done') return;
    const timer = setTimeout(() => setRound(round + 1), askEvery);
    return () => clearTimeout(timer);
  }, [isUnderWay, called.kind, round]);
  // Without the right to import there is no history to show.
  if (called.kind === 'failed' && called.error instanceof ApiError && called.error.status === 403) return null;
  return (
    <section class="card import-history">
      <h2>{t('importHistory')}</h2>
      {called.kind === 'failed' ? <Failure error={called.error} onRetry={called.reload} /> : null}
      {called.kind === 'done' && jobs.length === 0 ? <p class="about">{t('noImports')}</p> : null}
      <ul class="jobs">
        {jobs.slice(0, most).map((job) => (
          <Job key={job.id} job={job} onChange={called.reload} />
        ))}
      </ul>
      {jobs.length > most ? (
        <button type="button" class="more" onClick={() => setMost(most + shownAtFirst)}>
          {t('more')}
        </button>
      ) : null}
    </section>
  );
}

function isOpen({ state }: ImportJob): boolean {
  return state === 'queued' || state === 'running';
}

function Job({ job, onChange }: { job: ImportJob; onChange: () => void }) {
  const { id, state, format, filename, created_at, report, error, dry_run } = job;
  const { imported, appended, duplicates, skipped } = report;
  const [isCancelling, setCancelling] = useState(false);
  const cancel = (): void => {
    setCancelling(true);
    cancelImport(id).then(onChange, (failure: Error) => {
      setCancelling(false);
      showFailed(failure);
    });
  };
  return (
    <li data-job={id}>
      <p class="job-line">
        <strong>{filename ?? t('import')}</strong>{' '}
        {state === 'done' && broughtNothing(report) ? (
          <span class="state failing">{t('importNothing')}</span>
        ) : (
          <span class={`state ${stateClasses[state] ?? ''}`}>{t(stateWords[state])}</span>
        )}{' '}
        {dry_run ? <span class="state">{t('importDryRun')}</span> : null}
        {isOpen(job) ? (
          <button
            type="button"
            class="quiet"
            aria-label={`${t('importCancel')}: ${filename ?? t('import')}`}
            disabled={isCancelling}
            onClick={cancel}
          >
            {t('importCancel')}
          </button>
        ) : null}
      </p>
      <p class="about">
        <time dateTime={created_at} title={moment(created_at)}>
          {lately(created_at)}
        </time>{' '}
        {[...formatName(format), bytes(job.bytes)].map((part) => ` · ${part}`)}
      </p>
      {error === undefined ? null : <p class="problem">{error.error_message}</p>}
      <p>{t('importReport', { imported: number(imported), appended, duplicates, skipped })}</p>
      {isOpen(job) || dry_run || imported === 0 ? null : <UndoImport id={id} name={filename ?? t('import')} />}
      <JobDetails job={job} />
    </li>
  );
}

/** Everything in the file was left out: it was read to its end, but that is no success. */
export function broughtNothing({ imported, appended, duplicates, skipped }: Report): boolean {
  return skipped > 0 && imported + appended + duplicates === 0;
}

/** None where the service was left to recognise it. */
function formatName(format: string): string[] {
  const known: Readonly<Record<string, string>> = formats;
  return format === 'auto' ? [] : [known[format] ?? format];
}

function JobDetails({ job: { report, started_at, ended_at, resumed } }: { job: ImportJob }) {
  const { messages, known_messages, reasons, left_out, examples } = report;
  return (
    <details class="fact-details">
      <summary>{t('details')}</summary>
      <p>{t('importMessages', { stored: messages, known: known_messages })}</p>
      <Reasons title="importSkipped" counts={reasons} />
      <Reasons title="importLeftOut" counts={left_out} />
      {examples.length === 0 ? null : (
        <>
          <h4>{t('examples')}</h4>
          <ul class="reasons">
            {examples.map(({ place, reason }, index) => (
              <li key={index}>
                <code>{place}</code> {reason}
              </li>
            ))}
          </ul>
        </>
      )}
      <p class="about">
        {started_at === undefined ? null : t('importStarted', { when: moment(started_at) })}{' '}
        {ended_at === undefined ? null : t('importEnded', { when: moment(ended_at) })}{' '}
        {resumed === 0 ? null : t('importResumed', { n: resumed })}
      </p>
    </details>
  );
}

/** The reasons are the service's own words. */
function Reasons({ title, counts }: { title: Key; counts: Readonly<Record<string, number>> }) {
  const entries = Object.entries(counts);
  if (entries.length === 0) return null;
  return (
    <>
      <h4>{t(title)}</h4>
      <ul class="reasons">
        {entries.map(([reason, times]) => (
          <li key={reason}>
            {number(times)} × {reason}
          </li>
        ))}
      </ul>
    </>
  );
}
