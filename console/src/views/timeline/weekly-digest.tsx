import type { Activity, ConversationList } from '../../../../src/operations/conversations/list.js';
import type { FactOutput } from '../../../../src/operations/facts/present.js';
import { post } from '../../api.js';
import { Failure, Waiting } from '../../components/notice.js';
import { Source } from '../../components/source.js';
import { linkTo } from '../../router.js';
import { factName } from '../../strings/fact-name.js';
import { day, number, t } from '../../strings/text.js';
import { answerIn, useCall } from '../../use-call.js';

interface Digest {
  activity: Activity;
  list: ConversationList;
  facts: FactOutput[];
  before: number;
}

const mostTitles = 8;
const mostFacts = 6;
const mostTopics = 8;

/** What a week was about: how much, where, which topics, what was learned, and its conversations. */
export function WeeklyDigest({ monday, linkOf }: { monday: string; linkOf: (monday: string) => string }) {
  const sunday = daysAfter(monday, 6);
  const called = useCall(monday, (signal) => digestOf(monday, signal));
  const digest = answerIn(called);
  return (
    <section class="digest" aria-label={t('weeklyDigest')}>
      <h2>{t('weeklyDigest')}</h2>
      <p class="week">
        <a class="button" href={linkOf(daysAfter(monday, -7))} aria-label={t('previousWeek')}>
          ‹
        </a>{' '}
        <strong>{`${day(monday)} – ${day(sunday)}`}</strong>{' '}
        <a class="button" href={linkOf(daysAfter(monday, 7))} aria-label={t('nextWeek')}>
          ›
        </a>
      </p>
      {called.kind === 'failed' ? <Failure error={called.error} onRetry={called.reload} /> : null}
      {digest === undefined ? <Waiting /> : <Content digest={digest} monday={monday} />}
    </section>
  );
}

function Content({ digest, monday }: { digest: Digest; monday: string }) {
  const { activity, list, facts, before } = digest;
  const { days, labels = [] } = activity;
  const sunday = daysAfter(monday, 6);
  const messages = days.reduce((sum, each) => sum + each.messages, 0);
  if (list.total === 0) return <p class="about">{t('weekEmpty')}</p>;
  const named = (kind: string) => labels.filter((label) => label.kind === kind);
  const dates = { date_from: monday, date_to: sunday };
  return (
    <>
      <p role="status">
        {t('totals', {
          conversations: t('countConversations', { n: list.total }),
          messages: t('countMessages', { n: messages }),
        })}
        {'. '}
        {t('weekBefore', { n: before })}
      </p>
      <p class="digest-sources">
        {named('source').map(({ name, conversations }) => (
          <a key={name} href={linkTo('search', { source: name, ...dates })}>
            <Source name={name} /> {number(conversations)}
          </a>
        ))}
      </p>
      {named('topic').length === 0 ? null : (
        <p>
          {t('topics')}:{' '}
          {named('topic')
            .slice(0, mostTopics)
            .map(({ name, conversations }) => (
              <a key={name} class="chip" href={linkTo('search', { q: name, ...dates })}>
                {name} {number(conversations)}
              </a>
            ))}
        </p>
      )}
      <div class="digest-columns">
        <div>
          <h3>{t('conversations')}</h3>
          <ul class="plain-list">
            {list.results.map(({ id, title, timestamp }) => (
              <li key={id}>
                <a href={linkTo('search', { ...dates, open: id })}>{title ?? t('untitled')}</a>{' '}
                <span class="about">{day(timestamp)}</span>
              </li>
            ))}
          </ul>
          {list.total > list.results.length ? <a href={linkTo('search', dates)}>{t('showAll')}</a> : null}
        </div>
        {facts.length === 0 ? null : (
          <div>
            <h3>{t('weekLearned')}</h3>
            <ul class="plain-list">
              {facts.map(({ id, predicate, object_normalized }) => (
                <li key={id}>
                  <a href={linkTo('facts', { q: object_normalized })}>
                    {factName(predicate)}: {object_normalized}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
      <Days days={days} monday={monday} />
    </>
  );
}

/** The same day by day. */
function Days({ days, monday }: { days: Activity['days']; monday: string }) {
  const of = (date: string, what: 'conversations' | 'messages'): number =>
    days.filter((each) => each.day === date).reduce((sum, each) => sum + each[what], 0);
  return (
    <details class="as-table">
      <summary>{t('asTable')}</summary>
      <table>
        <thead>
          <tr>
            <th>{t('dates')}</th>
            <th>{t('conversations')}</th>
            <th>{t('weekMessages')}</th>
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: 7 }, (_, index) => daysAfter(monday, index)).map((date) => (
            <tr key={date}>
              <th>{day(date)}</th>
              <td>{number(of(date, 'conversations'))}</td>
              <td>{number(of(date, 'messages'))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

async function digestOf(monday: string, signal: AbortSignal): Promise<Digest> {
  const week = { date_from: monday, date_to: daysAfter(monday, 6) };
  const weekBefore = { date_from: daysAfter(monday, -7), date_to: daysAfter(monday, -1) };
  const [activity, list, facts, before] = await Promise.all([
    post<Activity>('/memory/activity', { ...week, labels: true }, { signal }),
    post<ConversationList>('/memory/conversations/list', { ...week, limit: mostTitles }, { signal }),
    post<{ results: FactOutput[] }>('/memory/facts/search', { ...week, limit: mostFacts }, { signal }),
    post<ConversationList>('/memory/conversations/list', { ...weekBefore, limit: 1 }, { signal }),
  ]);
  const learned = facts.results.filter(({ predicate }) => predicate !== 'recurring_topic');
  return { activity, list, facts: learned, before: before.total };
}

function daysAfter(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
}
