import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { linkTo } from '../router.js';
import { day as dayName, locale, number, t } from '../strings/text.js';

interface HeatMapProps {
  year: number;
  /** Conversations per UTC day. */
  counts: ReadonlyMap<string, number>;
}

const cell = 13;
const gap = 2;
const left = 22;
const top = 18;

/** A year as weeks from left to right; the darker a day, the more was said. Each day leads to its conversations. */
export function HeatMap({ year, counts }: HeatMapProps) {
  const weeks = useMemo(() => weeksOf(year), [year]);
  const most = Math.max(1, ...counts.values());
  const monthName = new Intl.DateTimeFormat(locale, { month: 'short', timeZone: 'UTC' });
  const width = left + weeks.length * (cell + gap);
  const box = useRef<HTMLDivElement>(null);
  // Where a year is wider than the screen, it scrolls to the last day that has conversations.
  useLayoutEffect(() => {
    const last = [...(box.current?.querySelectorAll('a') ?? [])].at(-1);
    if (box.current === null || last === undefined) return;
    box.current.scrollLeft += last.getBoundingClientRect().right + cell - box.current.getBoundingClientRect().right;
  }, [year, counts.size]);
  return (
    <div class="scroll-x" ref={box}>
      <svg class="heat-map" viewBox={`0 0 ${width} ${top + 7 * (cell + gap)}`} aria-label={`${t('timeline')} ${year}`}>
        <title>{`${t('timeline')} ${year}`}</title>
        {weekdays.map((weekday) => (
          <text key={weekday} x={0} y={top + weekday * (cell + gap) + 10}>
            {weekdayName(weekday).slice(0, 2)}
          </text>
        ))}
        {weeks.map((week, index) => {
          const first = week.find((day) => day?.endsWith('-01'));
          const x = left + index * (cell + gap);
          return (
            <g key={week.find((day) => day !== undefined)}>
              {first === undefined ? null : (
                <text x={x} y={11}>
                  {monthName.format(new Date(first))}
                </text>
              )}
              {week.map((day, weekday) => {
                if (day === undefined) return null;
                const count = counts.get(day) ?? 0;
                const square = (
                  <rect
                    x={x}
                    y={top + weekday * (cell + gap)}
                    width={cell}
                    height={cell}
                    rx={2.5}
                    class={`level-${levelOf(count, most)}`}
                  >
                    <title>{t('conversationsOn', { n: count, day: dayName(day) })}</title>
                  </rect>
                );
                if (count === 0) return <g key={day}>{square}</g>;
                const label = t('conversationsOn', { n: count, day: dayName(day) });
                return (
                  <a key={day} href={linkTo('search', { date_from: day, date_to: day })} aria-label={label}>
                    {square}
                  </a>
                );
              })}
            </g>
          );
        })}
      </svg>
    </div>
  );
}

const weekdays = [0, 1, 2, 3, 4, 5, 6];

/** Monday is 0. The fifth of January 1970 was one. */
function weekdayName(weekday: number): string {
  const format = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' });
  return format.format((4 + weekday) * 86_400_000);
}

/** The same in words and as a table, month by month and weekday by weekday. */
export function HeatMapText({ year, counts }: HeatMapProps) {
  const [busiest, most] = [...counts].reduce((one, other) => (other[1] > one[1] ? other : one), ['', 0] as const);
  if (most === 0) return null;
  const months = [...new Set([...counts.keys()].map((day) => day.slice(0, 7)))].sort();
  const monthName = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' });
  const sumOf = (month: string, weekday?: number): number =>
    [...counts]
      .filter(([day]) => day.startsWith(month) && (weekday === undefined || weekdayOf(new Date(day)) === weekday))
      .reduce((sum, [, count]) => sum + count, 0);
  return (
    <>
      <p class="about">
        {t('heatMapText', {
          n: counts.size,
          year: String(year),
          day: dayName(busiest),
          most: t('countConversations', { n: most }),
        })}
      </p>
      <details class="as-table heat-table">
        <summary>{t('asTable')}</summary>
        <div class="scroll-x">
          <table>
            <caption class="about">{t('conversations')}</caption>
            <thead>
              <tr>
                <th>{t('month')}</th>
                {weekdays.map((weekday) => (
                  <th key={weekday}>{weekdayName(weekday)}</th>
                ))}
                <th>{t('all')}</th>
              </tr>
            </thead>
            <tbody>
              {months.map((month) => (
                <tr key={month}>
                  <th>{monthName.format(new Date(`${month}-01T00:00:00Z`))}</th>
                  {weekdays.map((weekday) => (
                    <td key={weekday}>{number(sumOf(month, weekday))}</td>
                  ))}
                  <td>{number(sumOf(month))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </>
  );
}

function weekdayOf(date: Date): number {
  return (date.getUTCDay() + 6) % 7;
}

/** Steps on a root scale: one busy day must not make all others look empty. */
function levelOf(count: number, most: number): number {
  return count === 0 ? 0 : Math.max(1, Math.ceil(4 * Math.sqrt(count / most)));
}

/** Columns of seven days, Monday first, with gaps where the year begins and ends inside a week. */
function weeksOf(year: number): (string | undefined)[][] {
  const weeks: (string | undefined)[][] = [];
  const end = Date.UTC(year + 1, 0, 1);
  for (let time = Date.UTC(year, 0, 1); time < end; time += 86_400_000) {
    const weekday = weekdayOf(new Date(time));
    if (weeks.length === 0 || weekday === 0) weeks.push(Array.from({ length: 7 }, () => undefined));
    const week = weeks.at(-1);
    if (week !== undefined) week[weekday] = new Date(time).toISOString().slice(0, 10);
  }
  return weeks;
}
