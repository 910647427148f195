import { linkTo } from '../router.js';
import { locale, number, t } from '../strings/text.js';
import { hueOf } from './source.js';

export interface Layer {
  name: string;
  /** One value per month, in the order of the months. */
  values: readonly number[];
  /** Several sources combined, so there is no single link. */
  mixed?: true;
}

interface StackedAreaProps {
  months: readonly string[];
  layers: readonly Layer[];
}

const width = 720;
const height = 220;
const bottom = 24;
const left = 40;
const barWidth = 110;

/** What each source brought, month by month, one layer on the other. A source in the legend leads to what it brought. */
export function StackedArea({ months, layers }: StackedAreaProps) {
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
  return (
    <figure class="stacked">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={t('messagesPerSource')}>
        <text x={0} y={14}>
          {number(most)}
        </text>
        <text x={0} y={height - bottom + 4}>
          0
        </text>
        {areas}
        {months.map((month, index) => (
          <rect
            key={month}
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

function monthName(month: string): string {
  const format = new Intl.DateTimeFormat(locale, { month: 'short', year: '2-digit', timeZone: 'UTC' });
  return format.format(new Date(`${month}-01T00:00:00Z`));
}
