import { type HostileUnit, hostileText, unitName } from './hostile-units.js';

export type Reading = (text: string) => unknown;

/** Milliseconds below which a time says nothing about growth. */
const noticeable = 20;
/** Four times the text may take this many times as long: linear work and some noise, never the square. */
const mostGrowth = 6;
const attempts = 5;

/** Up to here a time has grown with the length alone, and will go on so. */
const plainGrowth = 4.7;

/** Long enough that the square of any noticeable time shows. */
export const sizes = [16_384, 65_536, 262_144];

/** The units that an entry point takes more than linear time for, with the times. */
export async function slowUnits(
  read: Reading,
  units: Iterable<HostileUnit>,
  lengths: readonly number[],
): Promise<string[]> {
  const slow: string[] = [];
  for (const unit of units) {
    const growth = await growthOf(read, unit, lengths);
    if (growth !== undefined) slow.push(`${unitName(unit)}: ${growth}`);
  }
  return slow;
}

/**
 * Reads the unit at each size, each four times the one before. Tells where the time grows faster than the text allows, by
 * the shortest of several runs, so that what else the machine does makes no failure.
 */
async function growthOf(read: Reading, unit: HostileUnit, lengths: readonly number[]): Promise<string | undefined> {
  let before = 0;
  for (const [index, length] of lengths.entries()) {
    const text = hostileText(unit, length);
    let took = await timeOf(read, text);
    const isSlow = (): boolean => took > noticeable && index > 0 && took > mostGrowth * before;
    for (let attempt = 1; isSlow() && attempt < attempts; attempt++) {
      took = Math.min(took, await timeOf(read, text));
      // The smaller text may have been read in a lucky moment.
      before = Math.max(before, await timeOf(read, hostileText(unit, lengths[index - 1] ?? length)));
    }
    if (isSlow()) return `${Math.round(before)} ms, then ${Math.round(took)} ms for ${length / 1_024} KB`;
    const largest = lengths.at(-1) ?? length;
    // Not even the square of what is left to grow would be noticed.
    if (took * (largest / length) ** 2 < noticeable) return undefined;
    if (index > 0 && took > noticeable && took <= plainGrowth * before) return undefined;
    before = Math.max(took, noticeable / mostGrowth);
  }
  return undefined;
}

/** Of the clock and of the processor the shorter time: neither a busy machine nor a second thread makes a failure. */
async function timeOf(read: Reading, text: string): Promise<number> {
  const started = performance.now();
  const before = process.cpuUsage();
  const outcome = read(text);
  if (outcome instanceof Promise) await outcome;
  const { user, system } = process.cpuUsage(before);
  return Math.min(performance.now() - started, (user + system) / 1_000);
}
