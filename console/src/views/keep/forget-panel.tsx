import { useState } from 'preact/hooks';
import type { ForgetOutput } from '../../../../src/operations/forget/select.js';
import { post } from '../../api.js';
import { tellChange } from '../../changes.js';
import { Failure } from '../../components/notice.js';
import { linkTo } from '../../router.js';
import { day, t } from '../../strings/text.js';
import { useSources } from '../../use-sources.js';
import { tagsOf } from '../search/filters.js';

const fields = {
  source: 'source',
  before: 'forgetBefore',
  tags: 'tag',
  thread_id: 'forgetThread',
  ids: 'forgetId',
} as const;
type Field = keyof typeof fields;

/** Nothing goes before it was shown what would go, and only exactly that is asked for again. */
export function ForgetPanel() {
  const [given, setGiven] = useState<Partial<Record<Field, string>>>({});
  const [shown, setShown] = useState<{ body: object; report: ForgetOutput }>();
  const [gone, setGone] = useState<ForgetOutput>();
  const [failure, setFailure] = useState<Error>();
  const [busy, setBusy] = useState(false);
  const run = async (body: object, dryRun: boolean): Promise<void> => {
    setFailure(undefined);
    setBusy(true);
    try {
      const report = await post<ForgetOutput>('/memory/forget', { ...body, dry_run: dryRun });
      setShown(dryRun ? { body, report } : undefined);
      setGone(dryRun ? undefined : report);
      if (!dryRun) tellChange();
    } catch (error) {
      setFailure(error as Error);
    } finally {
      setBusy(false);
    }
  };
  const sources = useSources(true);
  const change = (field: Field, value: string): void => {
    setShown(undefined);
    setGiven((before) => ({ ...before, [field]: value }));
  };
  return (
    <section class="card forget">
      <h2>{t('forget')}</h2>
      <p class="about">{t('forgetAbout')}</p>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          run(bodyOf(given), true);
        }}
      >
        {Object.entries(fields).map(([field, label]) => (
          <label key={field} class="field">
            {t(label)}
            <input
              type={field === 'before' ? 'date' : 'text'}
              list={field === 'source' ? 'forget-sources' : undefined}
              name={field}
              value={given[field as Field] ?? ''}
              autocomplete="off"
              onInput={(event) => change(field as Field, event.currentTarget.value)}
            />
          </label>
        ))}
        <datalist id="forget-sources">
          {sources.map((source) => (
            <option key={source} value={source} />
          ))}
        </datalist>
        <button type="submit" disabled={busy}>
          {t('forgetLook')}
        </button>
      </form>
      {failure === undefined ? null : <Failure error={failure} />}
      {shown === undefined ? null : (
        <WouldGo report={shown.report} busy={busy} onForget={() => run(shown.body, false)} />
      )}
      {gone === undefined ? null : (
        <p role="status">
          {t('forgotten', {
            conversations: t('countConversations', { n: gone.conversations }),
            facts: t('countFacts', { n: gone.facts }),
          })}
        </p>
      )}
    </section>
  );
}

function WouldGo({ report, busy, onForget }: { report: ForgetOutput; busy: boolean; onForget: () => void }) {
  const { conversations, messages, facts, examples } = report;
  if (conversations === 0) return <p role="status">{t('forgetNothing')}</p>;
  return (
    <div class="notice failure" role="status">
      <p>
        {t('forgetWould', {
          conversations: t('countConversations', { n: conversations }),
          messages: t('countMessages', { n: messages }),
          facts: t('countFacts', { n: facts }),
        })}
      </p>
      <ul>
        {examples.map(({ id, title, source, timestamp }) => (
          <li key={id}>
            <a href={linkTo('search', { open: id, memory_status: 'all' })}>{title ?? t('untitled')}</a>{' '}
            <span class="about">
              {source} · {day(timestamp)}
            </span>
          </li>
        ))}
      </ul>
      <button type="button" class="danger" disabled={busy} onClick={onForget}>
        {t('forgetNow')}
      </button>
    </div>
  );
}

function bodyOf({ ids, tags, ...plain }: Partial<Record<Field, string>>): object {
  // A tag may have several words; an id has none.
  const tagList = tagsOf(tags).map((tag) => tag.replace(/^#/, ''));
  const idList = (ids ?? '').split(/[\s,]+/).filter((id) => id !== '');
  const given = Object.entries(plain).filter(([, value]) => value?.trim());
  return {
    ...Object.fromEntries(given),
    ...(tagList.length === 0 ? {} : { tags: tagList }),
    ...(idList.length === 0 ? {} : { ids: idList }),
  };
}
