import { describe, expect, it } from 'vitest';
import { conflictsIn, nameOf } from '../../console/src/views/facts/find-conflicts.js';
import type { FactOutput } from '../../src/operations/facts/present.js';

let made = 0;
function aFact(given: Partial<FactOutput>): FactOutput {
  return {
    id: `fact-${made++}`,
    project_id: 'local',
    subject: 'user',
    predicate: 'profile_location',
    object_raw: 'Oslo',
    object_normalized: 'Oslo',
    qualifiers: {},
    source_quality: 'direct_user_statement',
    confidence: 'high',
    confidence_reason: '',
    status: 'active',
    stated_at: '2026-01-01T00:00:00Z',
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    last_confirmed_at: '2026-01-01T00:00:00Z',
    superseded_at: null,
    sources: [],
    ...given,
  };
}

describe('conflicts', () => {
  it('are several current values of what can have one, the newest first', () => {
    const older = aFact({ object_normalized: 'Oslo' });
    const newer = aFact({ object_normalized: 'Rome', stated_at: '2026-02-01T00:00:00Z' });
    const [found, ...others] = conflictsIn([older, newer]);
    expect(found).toMatchObject({ subject: 'user', predicate: 'profile_location', facts: [newer, older] });
    expect(others).toEqual([]);
  });

  it('are not values that add up, that are over, or that are about different subjects', () => {
    expect(
      conflictsIn([
        aFact({ predicate: 'allergic_to' }),
        aFact({ predicate: 'allergic_to' }),
        aFact({ predicate: 'pet_dog' }),
        aFact({ predicate: 'pet_dog' }),
        aFact({}),
        aFact({ status: 'superseded' }),
        aFact({ subject: 'Fiona' }),
        aFact({ project_id: 'team' }),
      ]),
    ).toEqual([]);
  });

  it('know the families of predicates', () => {
    const both = [aFact({ predicate: 'favorite_food' }), aFact({ predicate: 'favorite_food' })];
    expect(conflictsIn(both)).toHaveLength(1);
    expect(conflictsIn([...both, aFact({ predicate: 'favorite_color' })])).toHaveLength(1);
  });

  it('are not listed again once they are kept, until another value comes', () => {
    const both = [aFact({}), aFact({})];
    const kept = new Set([nameOf(both.toReversed())]);
    expect(conflictsIn(both, kept)).toEqual([]);
    expect(conflictsIn([...both, aFact({})], kept)).toHaveLength(1);
  });
});
