import { type HostileUnit, hostileText, unitName } from './hostile-units.js';

export type Reading = (text: string) => unknown;

/** Milliseconds that a text takes to read. Tests of the measure itself bring their own. */
export type Timing = (text: string) => number | Promise<number>;

/** Milliseconds below which a time says nothing about growth. */
const noticeable = 20;
/** Four times the text may take this many times as long: linear work and some noise, never the square. */
const mostGrowth = 6;
/** Twice the text, where that confirms it. */
const mostDoubling = 2.8;
/** Up to here a time has grown with the length alone, and will go on so. */
const plainGrowth = 4.7;
/** From this growth to this many milliseconds on, nothing but the text explains it. */
const evident = { growth: 10, time: 250 };
const attempts = 12;

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
    const growth = await growthOf((text) => timeOf(read, text), unit, lengths);
    if (growth !== undefined) slow.push(`${unitName(unit)}: ${growth}`);
  }
  return slow;
}

/**
 * Reads the unit at each size, each four times the one before, and tells where the time grows faster than the text allows:
 * by the shortest of several readings of both sizes, and, unless the time is long enough to leave no doubt, only if other
 * sizes confirm it.
 */
export async function growthOf(
  timing: Timing,
  unit: HostileUnit,
  lengths: readonly number[],
): Promise<string | undefined> {
  const times = createTimes(timing, unit);
  const largest = lengths.at(-1) ?? 0;
  for (const [index, length] of lengths.entries()) {
    const took = await times.once(length);
    // Not even the square of what is left to grow would be noticed.
    if (took * (largest / length) ** 2 < noticeable) return undefined;
    const smaller = lengths[index - 1];
    if (smaller === undefined || took <= noticeable) continue;
    // A first reading compiles code, and a long time of the smaller text would excuse one of the larger.
    while (times.count(smaller) < 5) await times.once(smaller);
    if (took <= plainGrowth * times.shortest(smaller)) return undefined;
    if (!(await times.grow(smaller, length, mostGrowth))) continue;
    // The same again after others confirmed it: that may have been a slow moment of the machine.
    const isSlow = async (): Promise<boolean> =>
      (await othersConfirm(times, length)) && (await times.grow(smaller, length, mostGrowth));
    if (times.isEvident(smaller, length) || (await isSlow()))
      return `${times.shown(smaller)}, then ${times.shown(length)} for ${length / 1_024} KB`;
  }
  return undefined;
}

/** The time grows as fast again up to the next size or, as a text may be cut or refused there, in both halves of the way. */
async function othersConfirm(times: Times, length: number): Promise<boolean> {
  const half = length / 2;
  // The square of the least time that counts has a fourth of it at half the length.
  const isSoBefore = await times.grow(half / 2, half, mostDoubling, noticeable / 4);
  if (isSoBefore && (await times.grow(half, length, mostDoubling))) return true;
  return times.grow(length, 4 * length, mostGrowth);
}

type Times = ReturnType<typeof createTimes>;

/** The times of a unit at several lengths. */
function createTimes(timing: Timing, unit: HostileUnit) {
  const taken = new Map<number, number[]>();
  const count = (length: number): number => taken.get(length)?.length ?? 0;
  const shortest = (length: number): number => Math.min(...(taken.get(length) ?? []));

  async function once(length: number): Promise<number> {
    const took = await timing(hostileText(unit, length));
    taken.set(length, [...(taken.get(length) ?? []), took]);
    return took;
  }

  const isEvident = (smaller: number, larger: number): boolean =>
    shortest(larger) > evident.time && shortest(larger) > evident.growth * shortest(smaller);

  /**
   * By the shortest of readings in turn, so that a slower moment of the machine meets both sizes. What was read before does
   * not count: it may come from a faster moment.
   */
  async function grow(smaller: number, larger: number, most: number, least = noticeable): Promise<boolean> {
    const shortestNow = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] as [number, number];
    for (let attempt = 0; attempt < attempts; attempt++) {
      shortestNow[0] = Math.min(shortestNow[0], await once(smaller));
      shortestNow[1] = Math.min(shortestNow[1], await once(larger));
      if (attempt < 2) continue;
      if (shortestNow[1] <= Math.max(least, most * shortestNow[0])) return false;
      // More attempts are for growth near the limit.
      if (attempt > 3 && shortestNow[1] > 1.3 * most * shortestNow[0]) return true;
    }
    return true;
  }

  return { count, shortest, once, grow, isEvident, shown: (length: number) => `${Math.round(shortest(length))} ms` };
}

/**
 * Of the clock and of the processor the shorter time: neither a busy machine nor a second thread makes a failure. The
 * processor time of one thread would be better, but Linux tells it only every few milliseconds.
 */
async function timeOf(read: Reading, text: string): Promise<number> {
  const started = performance.now();
  const before = process.cpuUsage();
  const outcome = read(text);
  if (outcome instanceof Promise) await outcome;
  const { user, system } = process.cpuUsage(before);
  return Math.min(performance.now() - started, (user + system) / 1_000);
}
