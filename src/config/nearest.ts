import { closeness } from '../model/parse.js';
import { anyName, eachNode } from './tree.js';

/**
 * The known key closest to a path that is none, or undefined when nothing is close enough to be meant. A right last
 * word in the wrong section counts as close: `distance` finds `storage.vector.distance`.
 */
export function nearestKey(path: readonly string[]): string | undefined {
  let best = { name: '', score: Number.POSITIVE_INFINITY };
  for (const known of eachNode()) {
    const candidate = withChosenNames(known.path, path);
    const name = candidate.join('.');
    // What both paths begin with says nothing about how close the rest is.
    const shared = candidate.findIndex((segment, index) => segment !== path[index]);
    if (shared < 0) continue;
    const inPlace = closeness(path.slice(shared).join('.'), candidate.slice(shared).join('.'));
    const elsewhere = closeness(path.at(-1) ?? '', candidate.at(-1) ?? '');
    // Half a step more for a key that lives elsewhere, so that a typing mistake in place wins a tie.
    const score = Math.min(inPlace, elsewhere + 0.5);
    if (score < best.score) best = { name, score };
  }
  return best.name === '' ? undefined : best.name;
}

/** A name that the user chose is taken as right when everything before it is. */
function withChosenNames(known: readonly string[], path: readonly string[]): string[] {
  const named = known.indexOf(anyName);
  const chosen = path[named];
  const sameStart = known.slice(0, named).every((segment, index) => segment === path[index]);
  return named < 0 || chosen === undefined || !sameStart ? [...known] : known.toSpliced(named, 1, chosen);
}
