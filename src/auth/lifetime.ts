import { invalidInput } from '../model/errors.js';

const units: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const longest = 3_650 * 86_400_000;

/** `90d`, `12h`, `30m`, `2w` in milliseconds. */
export function parseLifetime(text: string): number {
  const match = /^([1-9]\d{0,5})([mhdw])$/.exec(text.trim().toLowerCase());
  const milliseconds = Number(match?.[1]) * (units[match?.[2] ?? ''] ?? Number.NaN);
  if (!(milliseconds <= longest)) {
    throw invalidInput('', 'A lifetime is a number with m, h, d or w, such as 90d, and at most ten years');
  }
  return milliseconds;
}

/** The time this long after another. */
export function laterBy(time: string, milliseconds: number): string {
  return new Date(Date.parse(time) + milliseconds).toISOString();
}
