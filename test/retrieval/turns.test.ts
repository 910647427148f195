import { describe, expect, it } from 'vitest';
import { askingShare, brevity } from '../../src/retrieval/turns.js';

describe('askingShare', () => {
  it('is the part of a turn that asks', () => {
    expect(askingShare('Where is it?')).toBe(1);
    expect(askingShare('In the shed.')).toBe(0);
    expect(askingShare('It is red. Is it?')).toBeCloseTo(7 / 17);
    expect(askingShare('多少人？')).toBe(1);
  });
});

describe('brevity', () => {
  it('falls from a short turn to a long one', () => {
    expect(brevity('x'.repeat(400))).toBe(1);
    expect(brevity('x'.repeat(550))).toBe(0.5);
    expect(brevity('x'.repeat(5_000))).toBe(0);
  });

  it('counts a Chinese character as three letters', () => {
    expect(brevity('字'.repeat(183))).toBeCloseTo(0.5, 1);
  });
});
