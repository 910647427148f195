import { atLength } from '../support/length.js';

/**
 * How much is tried: a little in `npm test`, always the same; much in `npm run test:fuzz`, with a new seed each time
 * unless one is given.
 */
export const seed = Number(process.env.FUZZ_SEED ?? 1);
export const runs = Number(process.env.FUZZ_RUNS ?? atLength(1_000, 4_000));
export const long = runs > 20_000;

/** A share of all runs; the same seed makes the same inputs, so a failure is found again. */
export function share(part: number): number {
  return Math.max(20, Math.round(runs * part));
}

/** Long enough for a busy machine; whoever takes longer hangs. */
export const patience = 60_000;

/** Test time for the longest part of a long run. */
export const allowance = long ? 1_800_000 : 180_000;
