import { describe, expect, it } from 'vitest';
import { appearancesIn } from '../../console/src/views/timeline/appearances.js';
import type { Label } from '../../src/operations/conversations/list.js';
import type { PersonOutput } from '../../src/operations/people.js';

const months = ['2026-01', '2026-02'];

function aLabel(kind: Label['kind'], name: string, counts: Record<string, number>): Label {
  const found = Object.entries(counts).map(([month, conversations]) => ({ month, conversations }));
  return {
    kind,
    name,
    conversations: found.reduce((sum, { conversations }) => sum + conversations, 0),
    messages: 0,
    chunks: 0,
    first: '2026-01-01',
    last: '2026-02-01',
    months: found,
  };
}

function aPerson(name: string, mentions: number): PersonOutput {
  return {
    id: name,
    kind: 'person',
    name,
    other_names: [],
    relations: [],
    confidence: 'high',
    since: '',
    last_confirmed_at: '',
    conversation_ids: [],
    fact_ids: [],
    months: [{ month: '2026-02', mentions }],
    subjects: [],
    facts: [],
  };
}

const rowsOf = (labels: Label[], people: PersonOutput[] = []) =>
  appearancesIn(months, { labels, people, nameOf: ({ name = '' }) => name });

describe('who and what appears when', () => {
  it('has a count for every month, people first, the most frequent of a kind before the others', () => {
    const labels = [
      aLabel('topic', 'boats', { '2026-02': 1 }),
      aLabel('topic', 'bread', { '2026-01': 2, '2026-02': 1 }),
    ];
    expect(rowsOf(labels, [aPerson('Ann', 1), aPerson('Bea', 4)])).toEqual([
      { kind: 'person', name: 'Bea', counts: [0, 4], total: 4 },
      { kind: 'person', name: 'Ann', counts: [0, 1], total: 1 },
      { kind: 'topic', name: 'bread', counts: [2, 1], total: 3 },
      { kind: 'topic', name: 'boats', counts: [0, 1], total: 1 },
    ]);
  });

  it('leaves out what is not in these months, and a topic that is a tag as well', () => {
    const labels = [
      aLabel('topic', 'old', { '2025-12': 9 }),
      aLabel('topic', 'Garden', { '2026-01': 5 }),
      aLabel('tag', 'garden', { '2026-01': 3 }),
      aLabel('source', 'claude', { '2026-01': 3 }),
    ];
    expect(rowsOf(labels).map(({ kind, name }) => `${kind} ${name}`)).toEqual(['tag garden']);
  });

  it('shows no more rows than can be read', () => {
    const many = Array.from({ length: 100 }, (_, index) => aLabel('topic', `t${index}`, { '2026-01': index + 1 }));
    const rows = rowsOf(many);
    expect([rows.length, rows[0]?.name]).toEqual([14, 't99']);
  });
});
