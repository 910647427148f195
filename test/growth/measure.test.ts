import { describe, expect, it } from 'vitest';
import { growthOf, sizes, slowUnits, type Timing } from './growth.js';

/*
 * The measure itself: it must report what grows with the square, and nothing else, whatever the machine does meanwhile. Most
 * times here are made up, so that thousands of readings of any machine take no time; some are real.
 */

const letter = { unit: 'a' };
const kilobyte = 1_024;

/** The same numbers in every run. */
function randomFrom(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    state = Math.imul(state ^ (state >>> 13), 0x297a2d39);
    return ((state ^ (state >>> 16)) >>> 0) / 2 ** 32;
  };
}

/**
 * A reading may take half as long again, in slow moments three times as long; every fifth meets a garbage collection, and the
 * first compiles what it runs.
 */
function onABusyMachine(cost: (length: number) => number, seed: number): Timing {
  const random = randomFrom(seed);
  let count = 0;
  let pace = 1;
  return ({ length }) => {
    if (random() < 0.05) pace = 1 + 2 * random();
    const collection = random() < 0.2 ? 60 * random() : 0;
    const compilation = count++ === 0 ? 40 : 0;
    return cost(length) * pace * (1 + random() / 2) + collection + compilation;
  };
}

async function reportedOf(costs: readonly ((length: number) => number)[]): Promise<number> {
  let reported = 0;
  for (const [seed, cost] of costs.entries()) {
    if ((await growthOf(onABusyMachine(cost, seed), letter, sizes)) !== undefined) reported += 1;
  }
  return reported;
}

const trials = Array.from({ length: 3_000 }, (_, index) => index);
const largest = 256 * kilobyte;

describe('the measure of growth', () => {
  it('reports no linear time on a busy machine', async () => {
    // Up to a second for the largest text.
    const costs = trials.map(
      (trial) => (length: number) => ((1_000 * (trial + 1)) / trials.length) * (length / largest),
    );
    expect(await reportedOf(costs)).toBe(0);
  });

  it('reports no time that grows with the length and its logarithm', async () => {
    const costs = trials.map(
      (trial) => (length: number) =>
        ((1_000 * (trial + 1)) / trials.length) * ((length * Math.log2(length)) / (largest * 18)),
    );
    expect(await reportedOf(costs)).toBe(0);
  });

  it('reports nearly every square from 30 ms on, on the same machine', async () => {
    const costs = trials.map((trial) => (length: number) => (30 + trial) * (length / largest) ** 2);
    expect(await reportedOf(costs)).toBeGreaterThan(0.99 * trials.length);
  });

  it('reports every square on a quiet machine, also where a text is cut or refused', async () => {
    for (const longest of [Number.POSITIVE_INFINITY, largest]) {
      for (const most of [30, 100, 300, 3_000, 100_000]) {
        const timing: Timing = ({ length }) => most * (Math.min(length, longest + 1) / largest) ** 2;
        expect(await growthOf(timing, letter, sizes)).toMatch(/ ms, then \d+ ms for (64|256) KB/);
        const refusing: Timing = (text) => (text.length > longest + 1 ? 0 : timing(text));
        expect(await growthOf(refusing, letter, sizes)).toBeDefined();
      }
    }
  });

  it.each([
    // What a run of the ring once reported: 6 ms, then 44, and 60 for four times as much again.
    ['one step', { 16: 6, 32: 9, 64: 44, 256: 60 }],
    ['one step at half the size', { 16: 6, 32: 38, 64: 44, 256: 60 }],
    ['a step at the largest size', { 16: 2, 32: 3, 64: 6, 128: 11, 256: 45, 1024: 150 }],
  ])('reports no step in a time that grows linearly otherwise: %s', async (_, times) => {
    const timing: Timing = ({ length }) => {
      const known = Object.entries(times).find(([size]) => Number(size) * kilobyte + 1 >= length);
      return known?.[1] ?? length / 4_000;
    };
    expect(await growthOf(timing, letter, sizes)).toBeUndefined();
  });

  it('does not take a slow first reading of a small text as an excuse', async () => {
    let count = 0;
    const timing: Timing = ({ length }) => 2 * (length / (16 * kilobyte)) ** 2 + (count++ === 0 ? 30 : 0);
    expect(await growthOf(timing, letter, sizes)).toBeDefined();
  });

  const smaller = [kilobyte / 2, 2 * kilobyte, 8 * kilobyte];
  it.each([
    ['blanks before the end', (text: string) => text.replace(/ +$/, ''), ' '],
    ['each letter with all before it', (text: string) => countedBefore(text), 'a'],
  ])('reports a real function that takes the square: %s', async (_, read, unit) => {
    expect(await slowUnits(read, [{ unit }], smaller)).toHaveLength(1);
  });

  it.each([
    ['blanks at the end', (text: string) => text.trimEnd(), ' '],
    ['words', (text: string) => text.split(/\s+/).sort(), 'a '],
    ['a promise', async (text: string) => JSON.parse(JSON.stringify({ text })) as unknown, '"'],
  ])('reports no real function that takes linear time: %s', async (_, read, unit) => {
    expect(await slowUnits(read, [{ unit }], sizes)).toEqual([]);
  });
});

function countedBefore(text: string): number {
  let equal = 0;
  for (let at = 0; at < text.length; at++) {
    for (let before = 0; before < at; before++) if (text.charCodeAt(before) === text.charCodeAt(at)) equal += 1;
  }
  return equal;
}
