import { useState } from 'preact/hooks';
import { locale, t } from '../strings/text.js';

interface CalendarProps {
  label: string;
  value: string | undefined;
  onChoose: (day: string) => void;
}

/** A month to choose a day from. Days are UTC days, as the filters are. */
export function Calendar({ label, value, onChoose }: CalendarProps) {
  const [month, setMonth] = useState(() => (value ?? new Date().toISOString()).slice(0, 7));
  const move = (months: number): void => {
    const [year = 0, number = 1] = month.split('-').map(Number);
    setMonth(new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7));
  };
  const dayName = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const title = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' });
  return (
    <fieldset class="calendar">
      <legend>{label}</legend>
      <input
        type="date"
        aria-label={label}
        value={value ?? ''}
        onChange={(event) => {
          const given = event.currentTarget.value;
          if (given !== '') setMonth(given.slice(0, 7));
          onChoose(given);
        }}
      />
      <div class="month">
        <button type="button" aria-label={t('previousYear')} onClick={() => move(-12)}>
          «
        </button>
        <button type="button" aria-label={t('previousMonth')} onClick={() => move(-1)}>
          ‹
        </button>
        <span aria-live="polite">{title.format(new Date(`${month}-01T00:00:00Z`))}</span>
        <button type="button" aria-label={t('nextMonth')} onClick={() => move(1)}>
          ›
        </button>
        <button type="button" aria-label={t('nextYear')} onClick={() => move(12)}>
          »
        </button>
      </div>
      <div class="days">
        {weekdays().map((name) => (
          <span key={name} class="weekday" aria-hidden="true">
            {name}
          </span>
        ))}
        {daysOf(month).map((day, index) =>
          day === undefined ? (
            <span key={index} />
          ) : (
            <button
              key={day}
              type="button"
              aria-label={dayName.format(new Date(day))}
              aria-pressed={day === value}
              onClick={() => onChoose(day)}
            >
              {Number(day.slice(8))}
            </button>
          ),
        )}
      </div>
    </fieldset>
  );
}

function weekdays(): string[] {
  const name = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' });
  // The fifth of January 1970 was a Monday.
  return Array.from({ length: 7 }, (_, index) => name.format((4 + index) * 86_400_000).slice(0, 2));
}

/** The days of a month, after as many gaps as its first week needs (weeks begin on Monday). */
function daysOf(month: string): (string | undefined)[] {
  const first = new Date(`${month}-01T00:00:00Z`);
  const gaps = (first.getUTCDay() + 6) % 7;
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  const days = Array.from({ length: last }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`);
  return [...Array.from({ length: gaps }, () => undefined), ...days];
}
