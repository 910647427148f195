// What a run of `npm run bench` found, beside what we aim for (docs/benchmarks.md).

const common = { spread: 2, processor: 2, insert: 1, fill: 0.4, disk: 3, diskMost: 5, ask: 2, start: 2 };

/** The goals for each size; a size without goals is printed without the table. */
const goals = new Map([
  [10_000, { ...common, search: 0.35, processor: 2.5, resident: 180 }],
  [100_000, { ...common, search: 0.2, resident: 350 }],
  [1_000_000, { ...common, searchMs: 60, spread: 2.5, insert: 1.2, fill: 0.5, resident: 900, residentFilled: 1_500 }],
]);

/** A row is left out where its size has no goal for it, or where the run did not measure it. */
const rows = [
  ['searchMs', 'search p50, ms', ({ search }) => search.ours.p50],
  ['search', 'search p50, × raw', ({ search }) => search.latency],
  ['spread', 'search p95 / p50', ({ search }) => search.ours.p95 / search.ours.p50],
  ['processor', 'processor time of a search, × plain', ({ cost }) => cost.processorMs?.ours / cost.processorMs?.plain],
  ['insert', 'insert of ten messages p50, × raw', ({ insert1 }) => insert1?.latency],
  ['fill', 'fill with 8 writers, × raw', ({ fill }) => fill?.rate],
  ['disk', 'disk after the fill, × the text', ({ disk }) => disk.after / disk.text],
  ['diskMost', 'disk at most during the fill, × the text', ({ disk }) => disk.most / disk.text],
  ['ask', 'ask without the reader p50, × search', ({ ask }) => ask.ask / ask.search],
  ['start', 'start to ready, × Node and bare stores', ({ start }) => start?.ours / start?.raw],
  ['resident', 'resident after a start, MiB', ({ cost }) => cost.started.ours],
  ['residentFilled', 'resident after the fill, MiB', ({ filled }) => filled?.rss],
];
const wholeNumbers = ['resident', 'residentFilled', 'searchMs'];

export function besideGoals(report) {
  const aims = goals.get(report.chunks);
  if (aims === undefined) return [];
  return rows.flatMap(([key, name, measured]) => {
    const value = measured(report);
    if (aims[key] === undefined || !Number.isFinite(value)) return [];
    const digits = wholeNumbers.includes(key) ? 0 : 2;
    return [{ name, measured: value.toFixed(digits), goal: `≤ ${aims[key]}`, met: value <= aims[key] }];
  });
}

export function printGoals(report) {
  const table = besideGoals(report);
  if (table.length === 0) return;
  console.log('\nbeside the goals');
  for (const { name, measured, goal, met } of table) {
    console.log(`${name.padEnd(42)} ${measured.padStart(8)}   goal ${goal.padEnd(8)} ${met ? 'met' : 'missed'}`);
  }
}
