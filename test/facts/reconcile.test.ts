import { describe, expect, test } from 'vitest';
import { withdraw } from '../../src/facts/reconcile.js';
import type { Fact } from '../../src/model/fact.js';
import { anOccasion, extractStatements, factsAfter, factsWith, type Said } from '../support/facts.js';
import fc from '../support/properties.js';
import { sentences } from './labelled.js';

const january = '2025-01-01T00:00:00.000Z';
const march = '2025-03-01T00:00:00.000Z';
const june = '2025-06-01T00:00:00.000Z';

function active(facts: readonly Fact[], predicate: string): string[] {
  const held = facts.filter((fact) => fact.predicate === predicate && fact.status === 'active');
  return held.map(({ object_normalized }) => object_normalized).sort();
}

function only(facts: readonly Fact[], value: string): Fact {
  const found = facts.filter(({ object_normalized }) => object_normalized === value);
  if (found.length !== 1 || found[0] === undefined) throw new Error(`expected one fact of value ${value}`);
  return found[0];
}

const statements = [
  ...new Set(sentences.filter(({ facts, role }) => facts.length > 0 && role === undefined).map(({ text }) => text)),
];

describe('what is known', () => {
  test('a position ends with the employer it was stated with, and no employer takes its place', () => {
    const facts = factsAfter([
      { text: 'I work as a product manager at Fintlab.', at: january },
      { text: 'First day at Erste Bank today!', at: march },
    ]);
    expect(only(facts, 'product manager')).toMatchObject({ status: 'superseded', superseded_at: march });
    expect(only(facts, 'product manager')).not.toHaveProperty('superseded_by');
    expect(only(facts, 'Fintlab').superseded_by).toBe(only(facts, 'Erste Bank').id);
  });

  test('a position that was also stated on its own stays', () => {
    const facts = factsAfter([
      { text: 'I am a nurse.', at: january },
      { text: "I'm a nurse at the LKH Graz.", at: march },
      { text: 'I left the LKH Graz.', at: june },
    ]);
    expect(active(facts, 'profile_role')).toEqual(['nurse']);
    expect(active(facts, 'profile_employer')).toEqual([]);
  });

  test('what the assistant says of an employer ends no position of the user', () => {
    const facts = factsAfter([
      { text: "I'm a nurse at the LKH Graz.", at: january },
      { text: 'You work at Siemens.', at: march, role: 'assistant' },
    ]);
    expect(active(facts, 'profile_role')).toEqual(['nurse']);
  });

  describe('what the tagging model reads off something newer', () => {
    const guess = (value: string, rest: object = {}) => ({
      ...{ subject: 'user', predicate: 'profile_location', object_raw: value, object_key: value.toLowerCase() },
      ...{ role: 'user' as const, message_index: 0, start: 0, end: 40, guessed: true as const, ...rest },
    });
    const manchester = factsAfter([{ text: 'I live in Manchester.', at: january }]);
    const later = (statement: ReturnType<typeof guess>, at = june) =>
      factsWith(manchester, [statement], anOccasion({ conversationId: 'later', saidAt: () => at }));

    test('is kept beside a plain statement, and neither is certain', () => {
      const facts = later(guess('Leeds'));
      expect(only(facts, 'Leeds')).toMatchObject({ status: 'active', confidence: 'low' });
      expect(only(facts, 'Manchester')).toMatchObject({ status: 'active', confidence: 'low' });
      expect(only(facts, 'Manchester').confidence_reason).toContain('something said later may have replaced it');
    });

    test('can end a fact', () => {
      expect(only(later(guess('Manchester', { ends: true })), 'Manchester').confidence).toBe('low');
    });

    test('changes nothing where it is older, unsure or pasted, and is never over before it was said', () => {
      for (const [statement, at] of [
        [guess('Leeds'), '2024-06-01T00:00:00.000Z'],
        [guess('Leeds', { hedged: true }), june],
        [guess('Leeds', { pasted: true }), june],
      ] as const) {
        const facts = later(statement, at);
        expect(only(facts, 'Manchester')).toMatchObject({ status: 'active', confidence: 'high' });
        expect(only(facts, 'Leeds').status).toBe('superseded');
        expect((only(facts, 'Leeds').superseded_at ?? '') >= at).toBe(true);
      }
    });

    test('is settled by the next plain statement', () => {
      const facts = factsWith(
        later(guess('Leeds')),
        extractStatements({ messages: [{ role: 'user', text: 'I live in York.' }] }),
        anOccasion({ conversationId: 'last', saidAt: () => '2025-09-01T00:00:00.000Z' }),
      );
      expect(active(facts, 'profile_location')).toEqual(['York']);
      expect(only(facts, 'York').confidence).toBe('high');
    });
  });

  test('does not depend on the order in which conversations arrive', () => {
    const said = fc.record({
      text: fc.constantFrom(
        ...statements,
        ...['I live in Rome.', 'I live in Paris.', 'I no longer live in Rome.', 'I live in Oslo, not Paris.'],
        ...[
          'I like tea.',
          'I hate tea.',
          'I no longer like tea.',
          'You live in Rome.',
          'I sold my car.',
          'I own a red car.',
        ],
      ),
      at: fc.constantFrom(january, march, june),
      role: fc.constantFrom('user' as const, 'user' as const, 'assistant' as const),
      conversation: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    });
    const told = fc.uniqueArray(said, {
      maxLength: 12,
      selector: ({ conversation, at, text }) => `${conversation}${at}${text}`,
    });
    fc.assert(
      fc.property(told, fc.infiniteStream(fc.nat()), (list, numbers) => {
        const shuffled: Said[] = [...list];
        for (let index = shuffled.length - 1; index > 0; index--) {
          const other = (numbers.next().value as number) % (index + 1);
          [shuffled[index], shuffled[other]] = [shuffled[other] as Said, shuffled[index] as Said];
        }
        expect(factsAfter(shuffled)).toEqual(factsAfter(list));
      }),
      { numRuns: 150 },
    );
  });

  test('merges equal statements into one fact with a fresh confirmation', () => {
    const fact = only(
      factsAfter([
        { text: 'I live in Rome.', at: march },
        { text: 'I live in Rome!', at: january },
        { text: 'i live in rome', at: june },
      ]),
      'rome',
    );
    expect(fact.sources.map(({ stated_at }) => stated_at)).toEqual([january, march, june]);
    expect(fact).toMatchObject({ created_at: january, stated_at: june, last_confirmed_at: june, status: 'active' });
  });

  test('keeps the newer statement when an older one arrives late', () => {
    const facts = factsAfter([
      { text: 'I live in Rome.', at: june },
      { text: 'I live in Paris.', at: january },
    ]);
    const rome = only(facts, 'Rome');
    expect(rome.status).toBe('active');
    expect(only(facts, 'Paris')).toMatchObject({ status: 'superseded', superseded_at: june, superseded_by: rome.id });
  });

  test('keeps a chain of values, and the first again when it comes back', () => {
    const facts = factsAfter([
      { text: 'I live in Rome.', at: january },
      { text: 'I live in Paris.', at: march },
      { text: 'I live in Rome.', at: june },
    ]);
    expect(active(facts, 'profile_location')).toEqual(['Rome']);
    expect(only(facts, 'Paris').superseded_by).toBe(only(facts, 'Rome').id);
  });

  test('calls it a conflict only when two statements are equally recent', () => {
    const facts = factsAfter([
      { text: 'I live in Rome.', at: march, conversation: 'one' },
      { text: 'I live in Paris.', at: march, conversation: 'other' },
    ]);
    expect(active(facts, 'profile_location')).toEqual(['Paris', 'Rome']);
    const sameConversation = factsAfter([{ text: 'I live in Rome. I live in Paris.', at: march, conversation: 'one' }]);
    expect(active(sameConversation, 'profile_location')).toEqual(['Paris']);
  });

  test('never lets the assistant overrule the user', () => {
    const facts = factsAfter([
      { text: 'I live in Rome.', at: january },
      { text: 'You live in Paris.', at: june, role: 'assistant' },
    ]);
    expect(active(facts, 'profile_location')).toEqual(['Rome']);
    expect(only(facts, 'Paris')).toMatchObject({ source_quality: 'assistant_statement', status: 'superseded' });
  });

  test('keeps what only the assistant said, with less confidence', () => {
    const facts = factsAfter([{ text: 'You live in Paris.', at: june, role: 'assistant' }]);
    expect(only(facts, 'Paris')).toMatchObject({
      source_quality: 'assistant_statement',
      confidence: 'medium',
      status: 'active',
    });
  });

  test('trusts an automatic save less than a requested one, until the user requests it', () => {
    const saved = { text: 'I live in Rome.', at: january, saveIntent: 'client_auto_save' as const };
    expect(only(factsAfter([saved]), 'Rome')).toMatchObject({ confidence: 'medium', save_intent: 'client_auto_save' });
    const asked = { text: 'I live in Rome.', at: march, saveIntent: 'explicit_user_request' as const };
    expect(only(factsAfter([asked, saved]), 'Rome')).toMatchObject({
      confidence: 'high',
      save_intent: 'explicit_user_request',
    });
  });

  test('labels a correction', () => {
    const facts = factsAfter([
      { text: 'I live in Paris.', at: january },
      { text: 'Actually, I live in Rome, not Paris.', at: march },
    ]);
    expect(only(facts, 'Rome')).toMatchObject({
      source_quality: 'corrected_by_user',
      qualifiers: { corrects: 'paris', source_role: 'user' },
    });
  });

  test('lets a taste end its opposite and nothing else', () => {
    const facts = factsAfter([
      { text: 'I like tea and coffee.', at: january },
      { text: 'I hate tea.', at: march },
    ]);
    expect(active(facts, 'likes')).toEqual(['coffee']);
    expect(active(facts, 'dislikes')).toEqual(['tea']);
  });

  test('keeps the oldest and the newest of many sources', () => {
    const many = Array.from({ length: 60 }, (_, index) => ({
      text: 'I live in Rome.',
      at: `2025-01-01T00:00:${String(index).padStart(2, '0')}.000Z`,
    }));
    const fact = only(factsAfter(many), 'Rome');
    expect(fact.sources).toHaveLength(16);
    expect(fact).toMatchObject({ created_at: many[0]?.at, stated_at: many.at(-1)?.at });
    expect(factsAfter([...many].reverse())).toEqual([fact]);
  });

  test('forgets what a withdrawn conversation said and brings back what it had ended', () => {
    const facts = factsAfter([
      { text: 'I live in Rome.', at: january, conversation: 'one' },
      { text: 'I live in Paris.', at: march, conversation: 'other' },
    ]);
    const { kept, gone } = withdraw(facts, 'other');
    expect(gone).toEqual([only(facts, 'Paris').id]);
    expect(kept).toEqual(factsAfter([{ text: 'I live in Rome.', at: january, conversation: 'one' }]));
  });
});
