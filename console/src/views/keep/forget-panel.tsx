import { useState } from 'preact/hooks';
import type { ForgetOutput } from '../../../../src/operations/forget/select.js';
import type { ImportJob } from '../../../../src/operations/imports/job.js';
import { get, post } from '../../api.js';
import { useChanges } from '../../changes.js';
import { Failure } from '../../components/notice.js';
import { Certificates, forgetLater, graceSeconds, useIsForgetting } from '../../reading/forgetting.js';
import { linkTo } from '../../router.js';
import { day, t } from '../../strings/text.js';
import { answerIn, useCall } from '../../use-call.js';
import { type Selection, SelectionFields } from './selection-fields.js';

const examplesAtFirst = 10;
/** As many as the service names at once. */
const mostNamed = 1_000;

/** Nothing goes before it was shown what would go, and only exactly that: what came or changed since stops it. */
export function ForgetPanel() {
  const [selection, setSelection] = useState<Selection>({});
  const [planned, setPlanned] = useState<ForgetOutput>();
  const [failure, setFailure] = useState<Error>();
  const [isBusy, setBusy] = useState(false);
  const isForgetting = useIsForgetting();
  const { project_id: _, ...criteria } = selection;
  const isEmpty = Object.keys(criteria).length === 0;
  const look = async (examples: number): Promise<void> => {
    setFailure(undefined);
    setBusy(true);
    try {
      setPlanned(await post<ForgetOutput>('/memory/forget', { ...selection, examples, dry_run: true }));
    } catch (error) {
      setFailure(error as Error);
    }
    setBusy(false);
  };
  const forget = (): void => {
    if (planned === undefined) return;
    const conversations = t('countConversations', { n: planned.conversations });
    forgetLater({ title: conversations, body: { ...selection, selection: planned.selection } });
    setPlanned(undefined);
  };
  return (
    <section class="card forget" aria-busy={isBusy || isForgetting}>
      <h2>{t('forget')}</h2>
      <p class="about">{t('forgetAbout')}</p>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          void look(examplesAtFirst);
        }}
      >
        <SelectionFields
          selection={selection}
          onChange={(next) => {
            setPlanned(undefined);
            setSelection(next);
          }}
        >
          <ImportChoice
            value={selection.import_id}
            onChange={(import_id) => {
              const { import_id: before, ...rest } = selection;
              setPlanned(undefined);
              setSelection(import_id === '' ? rest : { ...rest, import_id });
            }}
          />
        </SelectionFields>
        <button type="submit" disabled={isBusy || isForgetting || isEmpty}>
          {t('forgetLook')}
        </button>
      </form>
      {isEmpty ? <p class="about">{t('forgetChoose')}</p> : null}
      {isBusy ? (
        <p role="status">
          <progress aria-label={t('loading')} /> {t('loading')}
        </p>
      ) : null}
      {failure === undefined ? null : <Failure error={failure} />}
      {planned === undefined ? null : (
        <WouldGo report={planned} isBusy={isBusy} onForget={forget} onAll={() => look(mostNamed)} />
      )}
      <Certificates />
    </section>
  );
}

/** The imports that stored something. */
function ImportChoice({ value = '', onChange }: { value?: string | undefined; onChange: (id: string) => void }) {
  const called = useCall('imports', (signal) => get<{ results: ImportJob[] }>('/memory/imports', { signal }));
  useChanges(called.reload);
  const jobs = (answerIn(called)?.results ?? []).filter(({ report, dry_run }) => report.imported > 0 && !dry_run);
  if (jobs.length === 0) return null;
  return (
    <label class="field">
      {t('import')}
      <select name="import_id" value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">{t('anyImport')}</option>
        {jobs.map(({ id, filename, created_at, report }) => (
          <option key={id} value={id}>
            {[filename ?? t('import'), day(created_at), t('countConversations', { n: report.imported })].join(' · ')}
          </option>
        ))}
      </select>
    </label>
  );
}

interface WouldGoProps {
  report: ForgetOutput;
  isBusy: boolean;
  onForget: () => void;
  onAll: () => void;
}

function WouldGo({ report, isBusy, onForget, onAll }: WouldGoProps) {
  const { conversations, messages, facts, examples } = report;
  if (conversations === 0) return <p role="status">{t('forgetNothing')}</p>;
  const rest = conversations - examples.length;
  return (
    <div class="notice failure" role="status">
      <p>
        {t('forgetWould', {
          conversations: t('countConversations', { n: conversations }),
          messages: t('countMessages', { n: messages }),
          facts: t('countFacts', { n: facts }),
        })}
      </p>
      <ul class="would-go">
        {examples.map(({ id, title, source, timestamp }) => (
          <li key={id}>
            <a href={linkTo('search', { open: id, memory_status: 'all' })}>{title ?? t('untitled')}</a>{' '}
            <span class="about">
              {source} · {day(timestamp)}
            </span>
          </li>
        ))}
      </ul>
      {rest > 0 ? (
        <p>
          {t('moreEvidence', { n: rest })}{' '}
          {examples.length < mostNamed ? (
            <button type="button" class="quiet" disabled={isBusy} onClick={onAll}>
              {t('showAll')}
            </button>
          ) : null}
        </p>
      ) : null}
      <p class="about">{t('forgetGrace', { n: graceSeconds })}</p>
      <button type="button" class="danger" disabled={isBusy} onClick={onForget}>
        {t('forgetNow')}
      </button>
    </div>
  );
}
