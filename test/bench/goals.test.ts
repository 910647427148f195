import { expect, test } from 'vitest';
import { besideGoals } from '../../bench/goals.mjs';

const measured = {
  search: { latency: 0.3, ours: { p50: 50, p95: 110 } },
  disk: { text: 100, after: 290, most: 510 },
  ask: { ask: 50, search: 20 },
  cost: { started: { ours: 170 }, processorMs: { ours: 4, plain: 2 } },
  insert1: { latency: 1.2 },
  fill: { rate: 0.3 },
  start: { ours: 600, raw: 400 },
};
const shown = (report: { chunks: number } & Record<string, unknown>) =>
  besideGoals(report).map(({ name, measured, goal, met }) => `${name}: ${measured} ${goal} ${met ? 'met' : 'missed'}`);

test('compares a run with the goals for its size', () => {
  expect(shown({ chunks: 10_000, ...measured })).toEqual([
    'search p50, × raw: 0.30 ≤ 0.35 met',
    'search p95 / p50: 2.20 ≤ 2 missed',
    'processor time of a search, × plain: 2.00 ≤ 2.5 met',
    'insert of ten messages p50, × raw: 1.20 ≤ 1 missed',
    'fill with 8 writers, × raw: 0.30 ≤ 0.4 met',
    'disk after the fill, × the text: 2.90 ≤ 3 met',
    'disk at most during the fill, × the text: 5.10 ≤ 5 missed',
    'ask without the reader p50, × search: 2.50 ≤ 2 missed',
    'start to ready, × Node and bare stores: 1.50 ≤ 2 met',
    'resident after a start, MiB: 170 ≤ 180 met',
  ]);
  expect(besideGoals({ chunks: 500, ...measured })).toEqual([]);
});

test('leaves out the ratios to a baseline that did not run', () => {
  const { search, disk, ask } = measured;
  const alone = { search: { ours: search.ours }, disk, ask, cost: { started: { ours: 950 } }, filled: { rss: 1_400 } };
  expect(shown({ chunks: 1_000_000, ...alone })).toEqual([
    'search p50, ms: 50 ≤ 60 met',
    'search p95 / p50: 2.20 ≤ 2.5 met',
    'disk after the fill, × the text: 2.90 ≤ 3 met',
    'disk at most during the fill, × the text: 5.10 ≤ 5 missed',
    'ask without the reader p50, × search: 2.50 ≤ 2 missed',
    'resident after a start, MiB: 950 ≤ 900 missed',
    'resident after the fill, MiB: 1400 ≤ 1500 met',
  ]);
});
