import { timeIntent } from '../../../src/language/time/time-intent.js';

/** A Wednesday. */
export const reference = '2023-05-17T15:30:00Z';

/** The spans as "first day..last day", or the day alone. */
export function daysOf(query: string, on = reference): string[] {
  return timeIntent(query, on).spans.map(({ from, to }) => {
    const [first, last] = [from.slice(0, 10), to.slice(0, 10)];
    return first === last ? first : `${first}..${last}`;
  });
}

export function asks(query: string): boolean {
  return timeIntent(query, reference).asksWhen;
}
