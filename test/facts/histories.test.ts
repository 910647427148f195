import { describe, expect, test } from 'vitest';
import type { Fact } from '../../src/model/fact.js';
import { factsAfter } from '../support/facts.js';
import { folded, type History, histories } from './labelled.js';

const times = ['2025-01-01T00:00:00.000Z', '2025-06-01T00:00:00.000Z'] as const;

function told({ said, predicate }: History, order: readonly (0 | 1)[]): Fact[] {
  const statements = order.map((index) => ({ text: said[index], at: times[index] }));
  return factsAfter(statements)
    .filter((fact) => fact.predicate === predicate)
    .sort((one, other) => (one.stated_at < other.stated_at ? 1 : -1));
}

function values(facts: readonly Fact[]): string[] {
  return facts.map(({ object_normalized }) => folded(object_normalized)).sort();
}

const wanted = (list: readonly string[]): string[] => list.map(folded).sort();

describe('two statements about the same thing', () => {
  test('are enough', () => {
    expect(histories.length).toBeGreaterThanOrEqual(60);
  });

  test.each(histories)('$predicate: $said', (history) => {
    const facts = told(history, [0, 1]);
    const active = facts.filter(({ status }) => status === 'active');
    const past = values(facts.filter(({ status }) => status === 'superseded'));
    expect(values(active)).toEqual(wanted(history.current));
    expect(wanted(history.past).filter((value) => !past.includes(value))).toEqual([]);
    if (active.length > 0) expect(facts[0]?.status).toBe('active');
  });

  test.each(histories)('mean the same when they arrive in the other order: $said', (history) => {
    expect(told(history, [1, 0])).toEqual(told(history, [0, 1]));
  });
});
