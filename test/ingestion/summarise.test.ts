import { describe, expect, it } from 'vitest';
import { conversationSummary, cut, digestSummary } from '../../src/ingestion/summarise.js';
import type { Role } from '../../src/model/conversation.js';

const messages = (...texts: string[]) =>
  texts.map((text, index) => ({ role: (index % 2 ? 'assistant' : 'user') as Role, text }));

describe('conversationSummary', () => {
  it('names the title and the first sentence of the first three turns', () => {
    const summary = conversationSummary({
      source: 'claude',
      title: 'Trip',
      topics: [],
      messages: messages('We go to Rome. In May.', 'How nice!\nWith whom?', 'With Ann', 'Good.'),
    });
    expect(summary).toBe('Trip: user: We go to Rome.; assistant: How nice!; user: With Ann');
  });

  it('names topics, or the source, where there is no title', () => {
    const untitled = { source: 'claude', messages: messages('Hi') };
    expect(conversationSummary({ ...untitled, topics: ['python', 'sql'] })).toBe(
      'Conversation about python, sql: user: Hi',
    );
    expect(conversationSummary({ ...untitled, topics: [] })).toBe('claude conversation: user: Hi');
  });

  it('ends a sentence in scripts with their own full stop', () => {
    const summary = conversationSummary({
      source: 's',
      title: 't',
      topics: [],
      messages: messages('東京に行く。来月です。'),
    });
    expect(summary).toBe('t: user: 東京に行く。');
  });

  it('stays short for long texts and does not cut inside a character', () => {
    const summary = conversationSummary({
      source: 's',
      title: '😀'.repeat(1024),
      topics: [],
      messages: messages('😀'.repeat(5_000)),
    });
    expect([...summary].length).toBeLessThanOrEqual(600);
    expect(summary.isWellFormed()).toBe(true);
  });
});

describe('digestSummary', () => {
  it('counts and names the latest', () => {
    expect(digestSummary('python', 2, ['One', 'Two'])).toBe('python: 2 conversations; latest: One; Two');
    expect(digestSummary('python', 1, ['One'])).toBe('python: 1 conversation; latest: One');
  });
});

describe('cut', () => {
  it('counts the mark towards the length', () => {
    expect(cut('12345', 5)).toBe('12345');
    expect(cut('123456', 5)).toBe('1234…');
    expect(cut('123 56', 5)).toBe('123…');
  });
});
