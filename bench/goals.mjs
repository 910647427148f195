// What a run of `npm run bench` found, beside what we aim for (docs/benchmarks.md).

/** The goals for each size; a size without goals is printed without the table. */
const goals = new Map([
  [10_000, { search: 0.35, spread: 2, processor: 2.5, insert: 1, fill: 0.4, resident: 180 }],
  [100_000, { search: 0.2, spread: 2, processor: 2, insert: 1, fill: 0.4, resident: 350 }],
]);

const rows = [
  ['search', 'search p50, × raw', ({ search }) => search.latency],
  ['spread', 'search p95 / p50', ({ search }) => search.ours.p95 / search.ours.p50],
  ['processor', 'processor time of a search, × plain', ({ cost }) => cost.processorMs.ours / cost.processorMs.plain],
  ['insert', 'insert of ten messages p50, × raw', ({ insert1 }) => insert1.latency],
  ['fill', 'fill with 8 writers, × raw', ({ fill }) => fill.rate],
  ['resident', 'resident after a start, MiB', ({ cost }) => cost.started.ours],
];

export function besideGoals(report) {
  const aims = goals.get(report.chunks);
  if (aims === undefined) return [];
  return rows.map(([key, name, measured]) => {
    const value = measured(report);
    const digits = key === 'resident' ? 0 : 2;
    return { name, measured: value.toFixed(digits), goal: `≤ ${aims[key]}`, met: value <= aims[key] };
  });
}
