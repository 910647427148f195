/** Reading untrusted JSON: absent, null and wrongly typed values all mean "not there". */
export type Shape = Record<string, unknown>;

export function object(value: unknown): Shape {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Shape) : {};
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Seconds, milliseconds or an ISO time as an ISO time; undefined when it is none of them. */
export function time(value: unknown): string | undefined {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && /^\d+(\.\d+)?$/.test(value)
        ? Number(value)
        : undefined;
  // Before the year 5138 a number of this size counts milliseconds.
  const date = number === undefined ? new Date(String(value ?? '')) : new Date(number > 1e11 ? number : number * 1_000);
  const sane = !Number.isNaN(date.getTime()) && date.getUTCFullYear() >= 1970 && date.getUTCFullYear() <= 9999;
  return sane && value !== null && value !== undefined && value !== 0 ? date.toISOString() : undefined;
}

/** Drops undefined values, so that metadata has no empty fields. */
export function present<Value>(fields: Record<string, Value | undefined>): Record<string, Value> {
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, Value] => entry[1] !== undefined));
}

/** The time of a single message, as a field to spread: absent where the export has none. */
export function saidAt(...values: readonly unknown[]): { timestamp?: string } {
  for (const value of values) {
    const timestamp = time(value);
    if (timestamp !== undefined) return { timestamp };
  }
  return {};
}

/** Pieces of one message as its text, with a blank line in between. */
export function joined(pieces: readonly (string | undefined)[]): string {
  return pieces.filter((piece) => piece !== undefined && piece.trim() !== '').join('\n\n');
}
