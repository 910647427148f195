import { describe, expect, it } from 'vitest';
import { peopleOf } from '../../src/facts/people.js';
import type { Fact } from '../../src/model/fact.js';

let made = 0;

function aFact(subject: string, predicate: string, value: string, at = '2025-01-01T00:00:00.000Z'): Fact {
  made += 1;
  return {
    id: `fact_${made}`,
    project_id: 'own',
    owner_id: 'ann',
    subject,
    subject_key: subject.toLowerCase(),
    predicate,
    object_raw: value,
    object_normalized: value,
    object_key: value.toLowerCase(),
    qualifiers: {},
    source_quality: 'direct_user_statement',
    confidence: 'high',
    confidence_reason: '',
    status: 'active',
    stated_at: at,
    created_at: at,
    updated_at: at,
    last_confirmed_at: at,
    sources: [],
    source_names: [],
    conversation_ids: [`conversation ${made}`],
  };
}

function known(...facts: Fact[]): string[] {
  const people = peopleOf('own', facts).map(({ kind, name = '?', otherNames, relations, about }) => {
    const names = [name, ...otherNames].join('/');
    const rest = about.map(({ object_raw }) => object_raw);
    return [kind, names, relations.join('+'), ...rest].join(' ').trim();
  });
  return people.sort();
}

describe('the people of a project', () => {
  it('are those with a name and a relation, and pets', () => {
    expect(known(aFact('user', 'relation_sister', 'Fiona'), aFact('user', 'pet_dog', 'Rex'))).toEqual([
      'person Fiona sister',
      'pet Rex dog',
    ]);
  });

  it('are one under one name, also with several relations', () => {
    expect(known(aFact('user', 'relation_mom', 'Rosa'), aFact('user', 'relation_mother', 'rosa'))).toEqual([
      'person Rosa mom+mother',
    ]);
    expect(known(aFact('user', 'relation_friend', 'Omar'), aFact('user', 'relation_colleague', 'Omar'))).toEqual([
      'person Omar friend+colleague',
    ]);
  });

  it('are two people if one person cannot be both', () => {
    expect(known(aFact('user', 'relation_sister', 'Eva'), aFact('user', 'relation_daughter', 'Eva'))).toEqual([
      'person Eva daughter',
      'person Eva sister',
    ]);
    expect(known(aFact('user', 'relation_son', 'Leo'), aFact('user', 'pet_cat', 'Leo'))).toEqual([
      'person Leo son',
      'pet Leo cat',
    ]);
    const ids = peopleOf('own', [aFact('user', 'relation_sister', 'Eva'), aFact('user', 'relation_daughter', 'Eva')]);
    expect(new Set(ids.map(({ id }) => id)).size).toBe(2);
  });

  it('may be called by the first name, where only one has it', () => {
    const boss = aFact('user', 'relation_boss', 'Karen Whitfield');
    expect(known(boss, aFact('Karen', 'profile_location', 'Leeds'))).toEqual([
      'person Karen Whitfield/Karen boss Leeds',
    ]);
    expect(known(boss, aFact('user', 'relation_sister', 'Karen'))).toEqual([
      'person Karen Whitfield boss',
      'person Karen sister',
    ]);
    const other = aFact('user', 'relation_doctor', 'Karen Holt');
    expect(known(boss, other, aFact('Karen', 'profile_location', 'Leeds'))).toHaveLength(3);
  });

  it('are meant by what they are: my sister is the sister with a name', () => {
    const fiona = aFact('user', 'relation_sister', 'Fiona');
    expect(known(fiona, aFact('user', 'family', 'a younger sister'))).toEqual(['person Fiona sister']);
    expect(known(fiona, aFact('sister', 'profile_location', 'Cork'))).toEqual(['person Fiona sister Cork']);
    expect(known(fiona, aFact('user', 'relation_sister', 'Nell'), aFact('user', 'family', 'a sister'))).toEqual([
      'person ? sister',
      'person Fiona sister',
      'person Nell sister',
    ]);
    expect(known(aFact('user', 'family', 'a brother'), aFact('brother', 'likes', 'jazz'))).toEqual([
      'person ? brother jazz',
    ]);
    expect(known(aFact('user', 'family', 'two kids'))).toEqual([]);
  });

  it('are found by the tagging model in its own form', () => {
    expect(known(aFact('daughter', 'known_as', 'Mia'), aFact('Mia', 'relationship', 'daughter'))).toEqual([
      'person Mia daughter',
    ]);
    expect(known(aFact('Schwester', 'known_as', 'Heike'))).toEqual(['person Heike sister']);
  });

  it('come with what else is known about them', () => {
    const facts = [aFact('user', 'relation_sister', 'Fiona'), aFact('Fiona', 'event', 'a concert in May')];
    expect(known(...facts)).toEqual(['person Fiona sister a concert in May']);
  });

  it('are no things and no projects', () => {
    expect(
      known(aFact('Atlas', 'deadline', '1 May'), aFact('car', 'price', '9,000'), aFact('user', 'likes', 'tea')),
    ).toEqual([]);
  });

  it('come last mentioned first', () => {
    const facts = [
      aFact('user', 'relation_son', 'Leo', '2024-01-01T00:00:00.000Z'),
      aFact('user', 'relation_daughter', 'Ida', '2025-01-01T00:00:00.000Z'),
    ];
    expect(peopleOf('own', facts).map(({ name }) => name)).toEqual(['Ida', 'Leo']);
  });
});
