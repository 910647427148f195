import { expect, test } from 'vitest';
import { steadyClock } from '../../src/app/open-runtime.js';

function times(...readings: number[]): number[] {
  const left = [...readings];
  const clock = steadyClock(() => left.shift() ?? 0);
  return readings.map(() => Date.parse(clock()));
}

test('tells the time while it runs forward', () => {
  expect(times(5_000, 5_000, 5_001, 9_000)).toEqual([5_000, 5_000, 5_001, 9_000]);
});

test('continues from the latest time when the clock is set back by seconds', () => {
  expect(times(90_000, 60_000, 60_010, 90_001, 90_100)).toEqual([90_000, 90_001, 90_002, 90_003, 90_100]);
});

test('follows a clock that is set back by more than a minute', () => {
  expect(times(500_000, 400_000, 400_001)).toEqual([500_000, 400_000, 400_001]);
});
