/** Judges the states of a recording against its history, and counts. */
import { checkDeeply } from './history.mjs';
import { statesOf } from './states.mjs';

/**
 * @param share of all states, chosen by chance
 * @returns counts of what was judged; `lost` and `corrupt` hold a line for each failure and must be empty
 */
export async function checkStates({ records, history, judge, mine, chances, seed, share = 1 }) {
  const result = { kill: 0, power: 0, equal: 0, slowest: 0, lost: [], corrupt: [] };
  /** States of one epoch that were judged, with what was found in them. */
  let [epoch, judged] = ['', new Map()];
  const chosen = seeded(seed + 1);
  for (const state of statesOf(records, { mine, chances, random: seeded(seed) })) {
    if (chosen() >= share) continue;
    const [number = ''] = state.key.split(' ', 1);
    if (number !== epoch) [epoch, judged] = [number, new Map()];
    const known = judged.get(state.key);
    if (known !== undefined) result.equal++;
    else result[state.kind]++;
    const found = known ?? (await examine(state));
    judged.set(state.key, found);
    // Also for a state that was seen before: an answer may have been given in between.
    const needed = history.required[state.cut] ?? 0;
    if (found < needed)
      result.lost.push(`${state.kind} at ${state.cut}: commit ${needed} was acknowledged, ${found} is there`);
  }
  return result;

  /** A busy machine is not the store's fault: an opening that seems slow is tried again, and the quickest one counts. */
  async function withoutPauses(milliseconds, state) {
    let least = milliseconds;
    for (let attempt = 0; least >= 500 && attempt < 5; attempt++) {
      least = Math.min(least, (await judge.open(state.files())).milliseconds);
    }
    return least;
  }

  /** The commit that the state recovers to; -1 when it is damaged, which is told at once. */
  async function examine(state) {
    try {
      let empty = false;
      const { digest, milliseconds } = await judge.open(state.files(), (database) => {
        empty = isEmpty(database);
      });
      result.slowest = Math.max(result.slowest, await withoutPauses(milliseconds, state));
      const commit = history.digests.get(digest) ?? (empty ? 0 : undefined);
      if (commit !== undefined) return commit;
      throw new Error('the database is none of those that were committed');
    } catch (error) {
      result.corrupt.push(`${state.kind} at ${state.cut}: ${error.message}`);
      return Number.POSITIVE_INFINITY;
    }
  }
}

/** Before the first commit there is nothing but tables, in whichever way the next start completes them. */
function isEmpty(database) {
  const [row] = database.prepare('SELECT count(*) FROM settings', { returnArrays: true }).all();
  if (row?.[0] !== 0) return false;
  checkDeeply(database, 0);
  return true;
}

/** The same states every time, so that a failure can be repeated. */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
