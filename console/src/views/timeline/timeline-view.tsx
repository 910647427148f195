import { useEffect, useState } from 'preact/hooks';
import type { Activity } from '../../../../src/operations/conversations/list.js';
import { post } from '../../api.js';
import { HeatMap, HeatMapText } from '../../components/heat-map.js';
import { Failure, Waiting } from '../../components/notice.js';
import { type Layer, type MonthRange, StackedArea } from '../../components/stacked-area.js';
import { goTo, linkTo, type ViewProps } from '../../router.js';
import { day, t } from '../../strings/text.js';
import { answerIn, useCall } from '../../use-call.js';

import type { AppearanceMap } from './appearance-map.js';
import type { WeeklyDigest } from './weekly-digest.js';

type Days = Activity['days'];

const mostLayers = 6;

export function TimelineView({ place: { params } }: ViewProps) {
  const called = useCall('timeline', (signal) => post<Activity>('/memory/activity', {}, { signal }));
  const days = answerIn(called)?.days;
  const parts = useParts();
  if (called.kind === 'failed') return <Failure error={called.error} onRetry={called.reload} />;
  if (days === undefined) return <Waiting />;
  if (days.length === 0) return <p class="notice">{t('emptyMemory')}</p>;
  const years = [...new Set(days.map(({ day }) => Number(day.slice(0, 4))))].sort((one, other) => other - one);
  const year = Number(params.get('year') ?? years[0]);
  const months = monthsBetween(days[0]?.day ?? '', days.at(-1)?.day ?? '');
  const chosen = rangeIn(params, months);
  const choose = (range: MonthRange | undefined): void =>
    goTo(linkTo('timeline', { year: params.get('year') ?? undefined, ...(range ?? {}) }), { replace: true });
  const counts = countsIn(days, year);
  return (
    <section class="page">
      <h1>{t('timeline')}</h1>
      <p class="about" role="status">
        {totalsOf(chosen === undefined ? days : days.filter(({ day }) => isWithin(day, chosen)))}
      </p>
      <nav class="years" aria-label={t('year')}>
        {years.map((each) => (
          <a
            key={each}
            href={linkTo('timeline', { year: String(each), ...(chosen ?? {}) })}
            aria-current={each === year ? 'true' : undefined}
          >
            {each}
          </a>
        ))}
      </nav>
      <HeatMap year={year} counts={counts} />
      <HeatMapText year={year} counts={counts} />
      <OnThisDay days={days} />
      <h2>{t('messagesPerSource')}</h2>
      <StackedArea months={months} layers={layersOf(days, months)} chosen={chosen} onChoose={choose} />
      <h2>{t('peopleAndTopics')}</h2>
      {parts === undefined ? (
        <Waiting />
      ) : (
        <>
          <parts.AppearanceMap
            months={chosen === undefined ? months : months.filter((each) => isWithin(each, chosen))}
          />
          <parts.WeeklyDigest
            monday={mondayIn(params, days.at(-1)?.day ?? '')}
            linkOf={(week) => linkTo('timeline', { ...Object.fromEntries(params), week })}
          />
        </>
      )}
    </section>
  );
}

interface Parts {
  AppearanceMap: typeof AppearanceMap;
  WeeklyDigest: typeof WeeklyDigest;
}

/** The map and the digest are loaded when the timeline is open: they are no part of the first load. */
function useParts(): Parts | undefined {
  const [parts, setParts] = useState<Parts>();
  useEffect(() => {
    Promise.all([import('./appearance-map.js'), import('./weekly-digest.js')]).then(
      ([map, digest]) => setParts({ AppearanceMap: map.AppearanceMap, WeeklyDigest: digest.WeeklyDigest }),
      // Without them the rest of the timeline still stands; the next visit tries again.
      () => undefined,
    );
  }, []);
  return parts;
}

/** The week of the address; otherwise the newest one that has conversations. */
function mondayIn(params: URLSearchParams, newest: string): string {
  const asked = params.get('week') ?? '';
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(asked) && !Number.isNaN(Date.parse(asked));
  const date = new Date(isDay ? asked : newest);
  return new Date(date.getTime() - ((date.getUTCDay() + 6) % 7) * 86_400_000).toISOString().slice(0, 10);
}

/** The months of the address, where the timeline has them. */
function rangeIn(params: URLSearchParams, months: readonly string[]): MonthRange | undefined {
  const [from = '', to = ''] = [params.get('from') ?? '', params.get('to') ?? ''];
  return months.includes(from) && months.includes(to) && from <= to ? { from, to } : undefined;
}

function isWithin(day: string, { from, to }: MonthRange): boolean {
  return day.slice(0, 7) >= from && day.slice(0, 7) <= to;
}

function totalsOf(days: Days): string {
  return t('totals', {
    conversations: t('countConversations', { n: days.reduce((sum, { conversations }) => sum + conversations, 0) }),
    messages: t('countMessages', { n: days.reduce((sum, { messages }) => sum + messages, 0) }),
  });
}

/** What was talked about on this day of earlier years. */
function OnThisDay({ days }: { days: Days }) {
  const today = new Date().toISOString().slice(0, 10);
  const counts = new Map<string, number>();
  for (const { day, conversations } of days) {
    if (day.slice(5) === today.slice(5) && day < today) counts.set(day, (counts.get(day) ?? 0) + conversations);
  }
  if (counts.size === 0) return null;
  return (
    <>
      <h2>{t('onThisDay')}</h2>
      <ul class="plain-list">
        {[...counts].reverse().map(([each, n]) => (
          <li key={each}>
            <a href={linkTo('search', { date_from: each, date_to: each })}>
              {t('conversationsOn', { n, day: day(each) })}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

function countsIn(days: Days, year: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { day, conversations } of days) {
    if (day.startsWith(`${year}-`)) counts.set(day, (counts.get(day) ?? 0) + conversations);
  }
  return counts;
}

/** The sources with the most messages get a layer each; what is left shares the last one. */
function layersOf(days: Days, months: readonly string[]): Layer[] {
  const place = new Map(months.map((month, index) => [month, index]));
  const bySource = new Map<string, number[]>();
  for (const { day, source, messages } of days) {
    const values = bySource.get(source) ?? months.map(() => 0);
    const index = place.get(day.slice(0, 7)) ?? 0;
    values[index] = (values[index] ?? 0) + messages;
    bySource.set(source, values);
  }
  const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
  const sorted = [...bySource]
    .map(([name, values]) => ({ name, values }))
    .sort((one, other) => total(other.values) - total(one.values));
  if (sorted.length <= mostLayers) return sorted;
  const rest = sorted.slice(mostLayers - 1);
  const others = months.map((_, month) => rest.reduce((sum, { values }) => sum + (values[month] ?? 0), 0));
  return [...sorted.slice(0, mostLayers - 1), { name: t('others'), values: others, mixed: true }];
}

function monthsBetween(first: string, last: string): string[] {
  const months: string[] = [];
  for (let month = first.slice(0, 7); month <= last.slice(0, 7); month = after(month)) months.push(month);
  return months;
}

function after(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7);
}
