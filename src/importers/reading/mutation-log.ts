import type { Found, SourceFile } from '../contract.js';
import { limits } from '../limits.js';
import { jsonLines } from './json-lines.js';
import { list, object, type Shape } from './shape.js';

/** What a line does to the value: sets the whole, sets one place, adds to a list (from a position on), takes one away. */
const change = { whole: 0, set: 1, push: 2, remove: 3 };

/**
 * A log of changes to one JSON value: the first line holds it as it was, the others what was done to it. A line that
 * does not fit is passed over, as a log that is being written may end in half a line.
 */
export async function* readMutationLog(
  file: SourceFile,
  convert: (value: unknown, file: SourceFile) => Iterable<Found>,
): AsyncGenerator<Found> {
  if ((file.size ?? 0) > limits.fileBytes) {
    yield { kind: 'skipped', place: file.path, reason: 'it is too large' };
    return;
  }
  const holder: Shape = {};
  for await (const line of jsonLines(file.read(), limits.lineBytes)) {
    if ('broken' in line) yield { kind: 'skipped', place: `${file.path} line ${line.number}`, reason: line.broken };
    else apply(holder, object(line.value));
  }
  yield* convert(holder.value, file);
}

function apply(holder: Shape, { kind, k, v, i }: Shape): void {
  if (kind === change.whole) holder.value = v;
  const path = ['value', ...list(k)];
  const last = path.pop();
  const place = placeAt(holder, path);
  if (place === undefined || !isKey(last) || k === undefined) return;
  if (kind === change.set) place[last] = v;
  if (kind === change.remove) delete place[last];
  if (kind !== change.push) return;
  const kept = list(place[last]);
  if (typeof i === 'number') kept.length = Math.min(kept.length, Math.max(0, Math.floor(i)));
  for (const each of list(v)) kept.push(each);
  place[last] = kept;
}

function placeAt(holder: Shape, path: readonly unknown[]): Shape | undefined {
  let place: unknown = holder;
  for (const key of path) {
    if (!isKey(key) || typeof place !== 'object' || place === null || !Object.hasOwn(place, key)) return undefined;
    place = (place as Shape)[key];
  }
  return typeof place === 'object' && place !== null ? (place as Shape) : undefined;
}

/** Keys come from a file: none may reach what objects have in common. */
function isKey(key: unknown): key is string {
  return (typeof key === 'string' || typeof key === 'number') && key !== '__proto__';
}
