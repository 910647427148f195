/** What a recording can have left on the disk, moment by moment: after a kill, and after a power cut. */
import { contentOf, createDisk, page, sectorsOf } from './disk.mjs';

/**
 * @typedef {{ kind: 'kill' | 'power', cut: number, key: string, files: () => { name: string, content: Buffer }[] }} State
 *   `cut` is the last record that happened; two states with the same key hold the same bytes
 */

/**
 * Walks the epochs that `mine` chooses. A kill keeps every write, at most the one under way is there in part. A power cut
 * keeps what was synced; of the rest it keeps all, none, all but one, one alone, a torn last one, or, `chances` times,
 * whatever chance leaves.
 * @returns {Generator<State>}
 */
export function* statesOf(records, { mine, chances, random }) {
  const disk = createDisk();
  for (const [cut, record] of records.entries()) {
    disk.apply(record);
    if (record.kind === 'mark' || !mine(disk.epoch())) continue;
    const view = viewOf(disk);
    yield* killStates(view, cut, record);
    yield* powerStates(view, { cut, chances, random });
  }
}

function viewOf(disk) {
  const { now, certain } = disk.names();
  const changes = [...new Set([...now.values(), ...certain.values()])].flatMap(({ pending }) => pending);
  return { epoch: disk.epoch(), now, certain, changes };
}

/** A write goes into the page cache page by page, and a kill can fall between two of them. */
function* killStates(view, cut, { kind, offset, data }) {
  const whole = () => 'all';
  const last = kind === 'write' ? view.changes.findLast((change) => change.data === data) : undefined;
  for (let at = (Math.floor(offset / page) + 1) * page; last && at < offset + data.length; at += page) {
    const arrived = Array.from({ length: sectorsOf(last) }, (_, index) => sectorEnd(last, index) <= at);
    yield state('kill', { ...view, cut, names: view.now, arrived: (change) => (change === last ? arrived : 'all') });
  }
  yield state('kill', { ...view, cut, names: view.now, arrived: whole });
}

function* powerStates(view, { cut, chances, random }) {
  const { changes, now, certain } = view;
  const make = (arrived, { names = now, unwritten = 0 } = {}) =>
    state('power', { ...view, cut, names, arrived, unwritten });
  const last = changes.at(-1);
  yield make(() => 'none', { names: certain });
  yield make(() => 'none');
  if (now.size !== certain.size || [...now].some(([name, file]) => certain.get(name) !== file)) {
    yield make(() => 'all', { names: certain });
  }
  if (last === undefined) return;
  const torn = halves(last, random);
  for (const part of torn) yield make((change) => (change === last ? part : 'all'));
  const one = changes[Math.floor(random() * changes.length)];
  yield make((change) => (change === one ? 'none' : 'all'));
  yield make((change) => (change === one ? 'all' : 'none'));
  yield make((change) => (change === last ? 'all' : 'none'), { unwritten: 0xa5 });
  for (let chance = 0; chance < chances; chance++) yield make(...byChance(view, random));
}

function byChance({ changes, now, certain }, random) {
  const [kept, tornShare] = [random(), random() * 0.3];
  const parts = new Map(
    changes.map((change) => {
      if (random() < tornShare) return [change, mask(change, () => random() < 0.5)];
      return [change, random() < kept ? 'all' : 'none'];
    }),
  );
  const names = new Map();
  for (const name of new Set([...now.keys(), ...certain.keys()])) {
    const file = (random() < 0.8 ? now : certain).get(name);
    if (file !== undefined) names.set(name, file);
  }
  return [(change) => parts.get(change) ?? 'none', { names, unwritten: random() < 0.5 ? 0 : 0xa5 }];
}

/** Up to some sector, and from some sector on. */
function halves(change, random) {
  if (change.kind !== 'write') return ['none'];
  const at = Math.floor(random() * (sectorsOf(change) + 1));
  return [mask(change, (index) => index < at), mask(change, (index) => index >= at)];
}

function mask(change, there) {
  return Array.from({ length: sectorsOf(change) }, (_, index) => there(index));
}

function sectorEnd({ offset }, index) {
  return (Math.floor(offset / 512) + index + 1) * 512;
}

function state(kind, { epoch, cut, names, changes, arrived, unwritten = 0 }) {
  const parts = new Map(changes.map((change) => [change, settled(arrived(change))]));
  const marks = changes.map((change) => `${change.serial}${codeOf(parts.get(change))}`);
  const known = [...names].map(([name, { serial }]) => `${name}=${serial}`).sort();
  return {
    kind,
    cut,
    key: [epoch, unwritten, ...known, ...marks.filter((mark) => !mark.endsWith('-'))].join(' '),
    files: () =>
      [...names].map(([name, { durable, pending }]) => ({
        name,
        content: contentOf(durable, pending, (change) => parts.get(change) ?? 'none', unwritten),
      })),
  };
}

/** A mask that keeps everything or nothing is no mask. */
function settled(part) {
  if (!Array.isArray(part)) return part;
  if (part.every(Boolean)) return 'all';
  return part.some(Boolean) ? part : 'none';
}

function codeOf(part) {
  if (part === 'none') return '-';
  return part === 'all' ? '' : `:${part.map(Number).join('')}`;
}
