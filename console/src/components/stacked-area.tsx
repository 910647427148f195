import { useState } from 'preact/hooks';
import { linkTo } from '../router.js';
import { hueOf } from '../source-mark.js';
import { locale, number, t } from '../strings/text.js';

export interface Layer {
  name: string;
  /** One value per month, in the order of the months. */
  values: readonly number[];
  /** Several sources combined, so there is no single link. */
  mixed?: true;
}

/** Months that are chosen, both included. */
export interface MonthRange {
  from: string;
  to: string;
}

interface StackedAreaProps {
  months: readonly string[];
  layers: readonly Layer[];
  chosen: MonthRange | undefined;
  onChoose: (range: MonthRange | undefined) => void;
}

const width = 720;
const height = 220;
const bottom = 24;
const left = 40;
const barWidth = 110;

/** What each source brought, month by month, one layer on the other. A source in the legend leads to what it brought. */
export function StackedArea({ months, layers, chosen, onChoose }: StackedAreaProps) {
  const brush = useBrush(months, onChoose);
  const shown = brush.dragged ?? chosen;
  const totals = months.map((_, month) => layers.reduce((sum, { values }) => sum + (values[month] ?? 0), 0));
  const most = Math.max(1, ...totals);
  // One month alone would have no width: it is a bar.
  const stops = months.length === 1 ? [0, 0] : [...months.keys()];
  const x = (stop: number): number =>
    left + (stop * (months.length === 1 ? barWidth : width - left)) / Math.max(1, stops.length - 1);
  const y = (value: number): number => (height - bottom) * (1 - value / most) + 4;
  const below = months.map(() => 0);
  const edge = (): string[] => stops.map((month, stop) => `${x(stop)},${y(below[month] ?? 0)}`);
  const areas = layers.map(({ name, values }, index) => {
    const lower = edge();
    for (const month of months.keys()) below[month] = (below[month] ?? 0) + (values[month] ?? 0);
    return <polygon key={name} class={colourOf(layers[index])} points={[...edge(), ...lower.reverse()].join(' ')} />;
  });
  const wide = (width - left) / Math.max(1, months.length - 1);
  const sums = layers.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  // Without the layer of all others, which is no source.
  const bySource = sums.map((sum, index) => (layers[index]?.mixed ? 0 : sum));
  const inWords = t('areaText', {
    n: sums.reduce((sum, value) => sum + value, 0),
    from: monthName(months[0] ?? ''),
    to: monthName(months.at(-1) ?? ''),
    month: monthName(months[totals.indexOf(most)] ?? months[0] ?? ''),
    source: layers[bySource.indexOf(Math.max(...bySource))]?.name ?? '',
  });
  return (
    <figure class="stacked">
      {/* The brush is for the pointer; with the keyboard the lists below choose the same months. */}
      <div class="stacked-scroll" ref={showLatest}>
        <svg
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label={`${t('messagesPerSource')}. ${inWords}`}
          onPointerDown={brush.start}
          onPointerMove={brush.move}
          onPointerUp={brush.end}
          onPointerCancel={brush.cancel}
        >
          <text x={0} y={14}>
            {number(most)}
          </text>
          <text x={0} y={height - bottom + 4}>
            0
          </text>
          {areas}
          {shown === undefined ? null : <Chosen months={months} range={shown} x={x} wide={wide} />}
          {months.map((month, index) => (
            <rect
              key={month}
              data-month={month}
              class="hover"
              x={months.length === 1 ? left : Math.max(left, x(index) - wide / 2)}
              y={0}
              width={months.length === 1 ? barWidth : wide}
              height={height - bottom}
            >
              <title>{valuesOf(month, index, layers)}</title>
            </rect>
          ))}
          {ticks(months).map(({ month, index }) => (
            <text key={month} x={Math.min(x(index), width - 60)} y={height - 4}>
              {monthName(month)}
            </text>
          ))}
        </svg>
      </div>
      <figcaption>
        {layers.map((layer) => {
          const { name, mixed } = layer;
          const swatch = <span class={`swatch ${colourOf(layer)}`} />;
          return mixed ? (
            <span key={name}>
              {swatch} {name}
            </span>
          ) : (
            <a key={name} href={linkTo('search', { source: name })}>
              {swatch} {name}
            </a>
          );
        })}
      </figcaption>
      <p class="about">{inWords}</p>
      <RangeLists months={months} chosen={chosen} onChoose={onChoose} />
      <details class="as-table">
        <summary>{t('asTable')}</summary>
        <table>
          <thead>
            <tr>
              <th>{t('month')}</th>
              {layers.map(({ name }) => (
                <th key={name}>{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...months.keys()].reverse().map((index) => (
              <tr key={months[index]}>
                <th>{monthName(months[index] ?? '')}</th>
                {layers.map(({ name, values }) => (
                  <td key={name}>{number(values[index] ?? 0)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

/** On a phone the chart is wider than the page, and the last months matter most. */
function showLatest(box: HTMLElement | null): void {
  if (box !== null) box.scrollLeft = box.scrollWidth;
}

interface ChosenProps {
  months: readonly string[];
  range: MonthRange;
  x: (index: number) => number;
  wide: number;
}

function Chosen({ months, range, x, wide }: ChosenProps) {
  const [first, last] = [months.indexOf(range.from), months.indexOf(range.to)];
  if (first === -1 || last === -1) return null;
  const start = months.length === 1 ? left : Math.max(left, x(first) - wide / 2);
  const end = months.length === 1 ? left + barWidth : Math.min(width, x(last) + wide / 2);
  return <rect class="chosen" x={start} y={0} width={end - start} height={height - bottom} />;
}

interface Brush {
  dragged: MonthRange | undefined;
  start: (event: PointerEvent) => void;
  move: (event: PointerEvent) => void;
  end: () => void;
  cancel: () => void;
}

/** Dragging from one month to another chooses what lies between; a click chooses one month. */
function useBrush(months: readonly string[], onChoose: (range: MonthRange) => void): Brush {
  const [ends, setEnds] = useState<{ first: string; last: string }>();
  const monthAt = ({ clientX, clientY }: PointerEvent): string | undefined => {
    const found = document.elementsFromPoint(clientX, clientY).find((each) => each.hasAttribute('data-month'));
    return found?.getAttribute('data-month') ?? undefined;
  };
  const rangeOf = ({ first, last }: { first: string; last: string }): MonthRange =>
    months.indexOf(first) <= months.indexOf(last) ? { from: first, to: last } : { from: last, to: first };
  return {
    dragged: ends === undefined ? undefined : rangeOf(ends),
    start(event) {
      const month = monthAt(event);
      // A finger scrolls; the lists are there for it.
      if (month === undefined || event.pointerType === 'touch') return;
      // The drag may end outside of the chart.
      if (event.currentTarget instanceof Element) event.currentTarget.setPointerCapture(event.pointerId);
      setEnds({ first: month, last: month });
    },
    move(event) {
      const month = monthAt(event);
      if (ends !== undefined && month !== undefined && month !== ends.last) setEnds({ ...ends, last: month });
    },
    end() {
      if (ends !== undefined) onChoose(rangeOf(ends));
      setEnds(undefined);
    },
    cancel: () => setEnds(undefined),
  };
}

function RangeLists({ months, chosen, onChoose }: Omit<StackedAreaProps, 'layers'>) {
  const ends = { from: chosen?.from ?? months[0] ?? '', to: chosen?.to ?? months.at(-1) ?? '' };
  const choose = (changed: Partial<MonthRange>): void => {
    const { from, to } = { ...ends, ...changed };
    onChoose(from <= to ? { from, to } : { from: to, to: from });
  };
  return (
    <div class="month-range">
      {(['from', 'to'] as const).map((end) => (
        <label key={end} class="field">
          {t(end === 'from' ? 'brushFrom' : 'brushTo')}
          <select value={ends[end]} onChange={(event) => choose({ [end]: event.currentTarget.value })}>
            {months.map((month) => (
              <option key={month} value={month}>
                {monthName(month)}
              </option>
            ))}
          </select>
        </label>
      ))}
      {chosen === undefined ? (
        <span class="about">{t('brushHelp')}</span>
      ) : (
        <>
          <a class="button" href={linkTo('search', { date_from: `${chosen.from}-01`, date_to: lastDayOf(chosen.to) })}>
            {t('searchRange', { from: monthName(chosen.from), to: monthName(chosen.to) })}
          </a>
          <button type="button" class="quiet" onClick={() => onChoose(undefined)}>
            {t('clear')}
          </button>
        </>
      )}
    </div>
  );
}

/** The last day of a month. */
export function lastDayOf(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}

/** A source has the same colour everywhere. */
function colourOf(layer: Layer | undefined): string {
  return layer === undefined || layer.mixed ? 'layer-mixed' : `hue-${hueOf(layer.name)}`;
}

function valuesOf(month: string, index: number, layers: readonly Layer[]): string {
  const lines = layers.filter(({ values }) => (values[index] ?? 0) > 0);
  return [monthName(month), ...lines.map(({ name, values }) => `${name}: ${number(values[index] ?? 0)}`)].join('\n');
}

/** At most six names under the axis: more would run into each other. */
function ticks(months: readonly string[]): { month: string; index: number }[] {
  const step = Math.max(1, Math.ceil(months.length / 6));
  return months.map((month, index) => ({ month, index })).filter(({ index }) => index % step === 0);
}

export function monthName(month: string): string {
  const format = new Intl.DateTimeFormat(locale, { month: 'short', year: '2-digit', timeZone: 'UTC' });
  return format.format(new Date(`${month}-01T00:00:00Z`));
}
