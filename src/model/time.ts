const timePattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?\s?([Zz]|[+-]\d{2}:?\d{2})?)?$/;

/**
 * Converts an RFC 3339 time or a plain ISO date to a UTC time that sorts as text; undefined if it is neither. A time
 * without an offset is UTC. Calendar errors (30 February) are rejected, not rolled over.
 */
export function utcTime(text: string): string | undefined {
  const match = timePattern.exec(text.trim());
  if (match === null) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', offset = 'Z'] = match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined;
  // RFC 3339 allows second 60 (a leap second); it becomes the first moment of the next minute.
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return undefined;
  date.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.slice(0, 3).padEnd(3, '0')));
  const shift = offsetMinutes(offset);
  if (shift === undefined) return undefined;
  const shifted = new Date(date.getTime() - shift * 60_000);
  const stays = shifted.getUTCFullYear() >= 0 && shifted.getUTCFullYear() <= 9999;
  return stays ? shifted.toISOString() : undefined;
}

/** A plain date means the whole UTC day, from its first to its last millisecond; a time means itself. */
export function utcRange(text: string): { first: string; last: string } | undefined {
  const moment = utcTime(text);
  if (moment === undefined) return undefined;
  const isDay = /^\s*\d{4}-\d{2}-\d{2}\s*$/.test(text);
  return { first: moment, last: isDay ? `${moment.slice(0, 10)}T23:59:59.999Z` : moment };
}

const lastMoment = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * The time of a change to something last changed at `before`: now, or the next millisecond if the clock has not passed
 * it. Optimistic writes compare this time, so it must differ after every change.
 */
export function timeAfter(before: string, now: string): string {
  if (now > before) return now;
  // Later years have a longer format, which would sort before all others.
  return new Date(Math.min(Date.parse(before) + 1, lastMoment)).toISOString();
}

function offsetMinutes(offset: string): number | undefined {
  if (offset === 'Z' || offset === 'z') return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(-2));
  if (hours > 23 || minutes > 59) return undefined;
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
