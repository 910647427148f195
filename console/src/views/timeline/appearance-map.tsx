import type { PeopleOutput } from '../../../../src/operations/people.js';
import { get } from '../../api.js';
import { Failure, Waiting } from '../../components/notice.js';
import { lastDayOf, monthName } from '../../components/stacked-area.js';
import { linkTo } from '../../router.js';
import type { Key } from '../../strings/en.js';
import { number, t } from '../../strings/text.js';
import { answerIn, useCall } from '../../use-call.js';
import { useLabels } from '../../use-labels.js';
import { nameOf } from '../people/names.js';
import { type Appearance, appearancesIn, mostMonths } from './appearances.js';

const rowHeight = 24;
const narrowestColumn = 28;
const widestColumn = 44;
/** A month as it is written above its column, with some space. */
const monthWidth = 52;
const namesWidth = 150;
const top = 28;
const largest = 10;

const kindNames = { person: 'people', tag: 'tags', topic: 'topics' } as const satisfies Record<Appearance['kind'], Key>;

/** Who and what appears when: a row each, a column for every month, a circle as large as how often. */
export function AppearanceMap({ months: all }: { months: readonly string[] }) {
  const { labels, error, reload } = useLabels();
  const called = useCall('people', (signal) => get<PeopleOutput>('/memory/people', { signal }));
  const people = answerIn(called)?.results;
  if (error !== undefined) return <Failure error={error} onRetry={reload} />;
  if (called.kind === 'failed') return <Failure error={called.error} onRetry={called.reload} />;
  if (labels === undefined || people === undefined) return <Waiting />;
  const months = all.slice(-monthsThatFit());
  const rows = appearancesIn(months, { people, labels, nameOf });
  if (rows.length === 0) return <p class="about">{t('mapEmpty')}</p>;
  return (
    <figure class="appearances">
      <div class="scroll-x">
        <Drawing rows={rows} months={months} />
      </div>
      <figcaption class="about">{inWords(rows, months)}</figcaption>
      <Table rows={rows} months={months} />
    </figure>
  );
}

/** The newest months that fit beside the names: on a phone, scrolling to them would hide whose they are. */
function monthsThatFit(): number {
  return Math.min(mostMonths, Math.max(5, Math.floor(roomForMonths() / narrowestColumn)));
}

function roomForMonths(): number {
  return Math.min(document.documentElement.clientWidth - 40, 952) - namesWidth;
}

function Drawing({ rows, months }: { rows: readonly Appearance[]; months: readonly string[] }) {
  const most = Math.max(1, ...rows.flatMap(({ counts }) => counts));
  const columnWidth = Math.max(narrowestColumn, Math.min(widestColumn, roomForMonths() / months.length));
  const width = namesWidth + months.length * columnWidth + 8;
  const height = top + rows.length * rowHeight + 6;
  const x = (column: number): number => namesWidth + column * columnWidth + columnWidth / 2;
  const y = (row: number): number => top + row * rowHeight + rowHeight / 2;
  const step = Math.max(1, Math.ceil(months.length / 8), Math.ceil(monthWidth / columnWidth));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a drawing cannot be a fieldset; its names are links, so it is no image.
    <svg
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="group"
      aria-label={t('peopleAndTopics')}
    >
      {months.map((month, column) =>
        column % step === 0 ? (
          <text key={month} x={x(column)} y={14} text-anchor="middle">
            {monthName(month)}
          </text>
        ) : null,
      )}
      {rows.map(({ kind, name, counts }, row) => (
        <g key={`${kind} ${name}`} class={`appearance ${kind}`}>
          <line x1={namesWidth} x2={width - 8} y1={y(row)} y2={y(row)} />
          <a href={placeOf({ kind, name })} data-appearance={name}>
            <text x={namesWidth - 10} y={y(row) + 4} text-anchor="end">
              {shortened(kind === 'tag' ? `#${name}` : name)}
            </text>
          </a>
          {counts.map((count, column) => {
            const month = months[column] ?? '';
            const words = `${name}, ${monthName(month)}: ${number(count)}`;
            // Not in the order of the keyboard: there may be hundreds, and the table has them all.
            return count === 0 ? null : (
              <a key={month} href={placeOf({ kind, name, month })} tabIndex={-1} aria-label={words}>
                <circle cx={x(column)} cy={y(row)} r={2 + (largest - 2) * Math.sqrt(count / most)}>
                  <title>{words}</title>
                </circle>
              </a>
            );
          })}
        </g>
      ))}
    </svg>
  );
}

/** A person's page, or what was said about it: in one month, or at all. */
function placeOf({ kind, name, month }: Pick<Appearance, 'kind' | 'name'> & { month?: string }): string {
  const dates = month === undefined ? {} : { date_from: `${month}-01`, date_to: lastDayOf(month) };
  if (kind === 'person' && month === undefined) return linkTo('people', { name });
  return kind === 'tag' ? linkTo('search', { tags: name, ...dates }) : linkTo('search', { q: name, ...dates });
}

function shortened(name: string): string {
  return name.length > 20 ? `${name.slice(0, 19)}…` : name;
}

/** What the drawing shows at first sight, for those who cannot see it. */
function inWords(rows: readonly Appearance[], months: readonly string[]): string {
  return (['person', 'topic', 'tag'] as const)
    .flatMap((kind) => {
      const first = rows.find((row) => row.kind === kind);
      if (first === undefined) return [];
      const busiest = first.counts.indexOf(Math.max(...first.counts));
      return t('mapText', {
        kind: t(kindNames[kind]),
        name: first.name,
        n: first.total,
        month: monthName(months[busiest] ?? ''),
      });
    })
    .join(' ');
}

function Table({ rows, months }: { rows: readonly Appearance[]; months: readonly string[] }) {
  return (
    <details class="as-table">
      <summary>{t('asTable')}</summary>
      <div class="scroll-x">
        <table>
          <caption class="about">{t('peopleAndTopics')}</caption>
          <thead>
            <tr>
              <th>{t('month')}</th>
              {rows.map(({ kind, name }) => (
                <th key={`${kind} ${name}`}>{kind === 'tag' ? `#${name}` : name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...months.keys()].reverse().map((column) => (
              <tr key={months[column]}>
                <th>{monthName(months[column] ?? '')}</th>
                {rows.map(({ kind, name, counts }) => (
                  <td key={`${kind} ${name}`}>{number(counts[column] ?? 0)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
