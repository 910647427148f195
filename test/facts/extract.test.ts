import { describe, expect, test } from 'vitest';
import { kindOf } from '../../src/facts/predicates.js';
import { extractStatements } from '../support/facts.js';
import fc from '../support/properties.js';
import { sentences } from './labelled.js';

function stated(text: string, parts: { role?: 'user' | 'assistant'; title?: string } = {}): string[] {
  const { role = 'user', title } = parts;
  return extractStatements({ title, messages: [{ role, text }] }).map(
    ({ subject, predicate, object_raw }) => `${subject} ${predicate} ${object_raw}`,
  );
}

const role = fc.constantFrom('user' as const, 'assistant' as const);
const fragments = sentences.flatMap(({ text }) => text.split(/(?<=[ ,.，。])/u));
/** Words of the labelled sentences in any order, with signs in between: nearer to the rules than random letters. */
const salad = fc
  .array(
    fc.oneof(
      fc.constantFrom(...fragments),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.constantFrom('\n', '"', '```\n', '> ', '? '),
    ),
    {
      maxLength: 40,
    },
  )
  .map((parts) => parts.join(''));

describe('extraction', () => {
  test('reads any text, and every value lies in its sentence, which lies in its message', () => {
    const text = fc.oneof(
      salad,
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ unit: 'grapheme', maxLength: 200 }),
    );
    fc.assert(
      fc.property(fc.array(fc.record({ role, text }), { maxLength: 4 }), (messages) => {
        for (const statement of extractStatements({ messages })) {
          const message = messages[statement.message_index]?.text ?? '';
          const { start, end, object_raw, object_key, predicate } = statement;
          expect(start >= 0 && start < end && end <= message.length).toBe(true);
          expect(message.slice(start, end)).toContain(object_raw);
          expect(object_raw.trim()).toBe(object_raw);
          expect(object_raw.length > 0 && object_key.length > 0).toBe(true);
          expect(kindOf(predicate)).toBeDefined();
        }
      }),
      { numRuns: 400 },
    );
  });

  test('takes little time for any text', () => {
    const nasty = [
      'I '.repeat(20_000),
      `My ${'favorite '.repeat(5_000)}is`,
      `"${'I am '.repeat(10_000)}`,
      `${'a, '.repeat(20_000)}and I`,
      `I like ${'tea, '.repeat(10_000)}and`,
      'actually '.repeat(6_000),
      `${'x'.repeat(50_000)} was created by`,
      '>'.repeat(50_000),
      `I live in ${'Aa '.repeat(16_000)}`,
      `my ${'word '.repeat(10_000)} is on`,
      '我'.repeat(30_000),
    ];
    for (const text of nasty) {
      const started = performance.now();
      extractStatements({ messages: [{ role: 'user', text }] });
      expect(performance.now() - started).toBeLessThan(3_000);
    }
  });

  test.each([
    ['a code block', 'See this:\n```\nmy name is Bob\nI live in Rome.\n```\nThanks.'],
    ['a quoted line', '> I live in Athens.\n> My name is Bob.\nWhat does he mean?'],
    ['a quotation', 'She wrote "I live in Athens." and left.'],
    ['a quotation in single marks', "is it real? 'Hello, I live in Athens and I'm a notary'"],
    ['a role play', 'Role play: you are the waiter. I live in Athens.'],
    ['text to translate', 'Please translate this into German:\nMy name is Bob. I live in Rome.'],
    ['text below an empty line', 'proofread pls\n\nMy name is Bob. I live in Rome.'],
    ['text behind an arrow', 'summarise this → My name is Bob. I live in Rome.'],
    ['a preformatted tag', '<pre>I live in Rome.</pre>'],
  ])('skips %s', (_, text) => {
    expect(stated(text)).toEqual([]);
  });

  test('reads what is written below a whole sentence', () => {
    const text = 'Improve my sleep.\n\nI live in Rome.';
    expect(extractStatements({ messages: [{ role: 'user', text }] })).toMatchObject([{ object_raw: 'Rome' }]);
  });

  test('reads on behind what it skips', () => {
    expect(stated('```\nI live in Rome.\n```\nI live in Oslo.')).toEqual(['user profile_location Oslo']);
  });

  test('names the speaker where people talk with each other', () => {
    const messages = [
      { role: 'user' as const, text: 'Nora: I live in Oslo.' },
      { role: 'assistant' as const, text: 'Emil: I work at Equinor.' },
      { role: 'user' as const, text: 'Nora: Nice.' },
      { role: 'assistant' as const, text: 'Emil: It is.' },
    ];
    const found = extractStatements({ messages }).map(({ subject, object_raw, role: by }) => [subject, object_raw, by]);
    expect(found).toEqual([
      ['Nora', 'Oslo', 'user'],
      ['Emil', 'Equinor', 'user'],
    ]);
  });

  test('reads only the messages it is asked for', () => {
    const messages = [
      { role: 'user' as const, text: 'I live in Oslo.' },
      { role: 'user' as const, text: 'I speak Norwegian.' },
    ];
    expect(extractStatements({ messages, from: 1 }).map(({ message_index }) => message_index)).toEqual([1]);
  });

  test('takes a project by its name, by the title, or plainly as the project', () => {
    expect(stated('The creator of Atlas is Ada Lovelace.', { title: 'Harbor' })).toEqual([
      'Atlas creator Ada Lovelace',
    ]);
    expect(stated('The creator is Ada Lovelace.', { title: 'Harbor' })).toEqual(['Harbor creator Ada Lovelace']);
    expect(stated('The creator is Ada Lovelace.')).toEqual(['project creator Ada Lovelace']);
  });

  test('tells a correction and what it takes back', () => {
    const [statement] = extractStatements({
      messages: [{ role: 'user', text: 'Actually, I live in Hamburg, not Berlin.' }],
    });
    expect(statement).toMatchObject({ object_raw: 'Hamburg', correction: true, corrects: 'berlin' });
  });

  test('marks a doubt', () => {
    const [statement] = extractStatements({ messages: [{ role: 'user', text: 'I think my favorite color is teal.' }] });
    expect(statement).toMatchObject({ object_raw: 'teal', hedged: true });
  });
});
