import { describe, expect, it } from 'vitest';
import { roundsOf } from '../../eval/ask-sets.mjs';
import type { Question, Suite } from '../../eval/suite.mjs';

function aQuestion(id: string, text: string, key: string, filter: Record<string, string> = {}): Question {
  return { id, kind: 'any', text, answer: '', filter, evidence: [[key, 0]], keys: [key] };
}

function aSuite(parts: Pick<Suite, 'conversations' | 'questions'>): Suite {
  return { name: 'test', license: 'none', about: '', ...parts };
}

describe('a suite of several sources', () => {
  it('asks each question of its own source, of another, and of another with names from there', () => {
    const said = (key: string, source: string, name: string) => ({
      key,
      conversation: { source, messages: [{ role: 'user', text: `${name}: Hello` }] },
    });
    const [round, ...more] = roundsOf(
      aSuite({
        conversations: [said('a', 'one', 'Nora'), said('b', 'two', 'Mark')],
        questions: [
          aQuestion('1', 'What did Nora say?', 'a', { source: 'one' }),
          aQuestion('2', 'What did Mark say?', 'b', { source: 'two' }),
        ],
      }),
    );
    expect(more).toEqual([]);
    const asked = round?.asked.map(({ set, question }) => [set, question.text, question.filter.source, question.keys]);
    expect(asked?.slice(0, 3)).toEqual([
      ['answerable', 'What did Nora say?', 'one', ['a']],
      ['elsewhere', 'What did Nora say?', 'two', []],
      ['renamed', 'What did Mark say?', 'two', []],
    ]);
  });
});

describe('a suite of one store', () => {
  it('leaves out what answers every second question, once each half', () => {
    const conversations = ['a', 'b'].map((key) => ({ key, conversation: { messages: [{ role: 'user', text: key }] } }));
    const questions = [aQuestion('1', 'First?', 'a'), aQuestion('2', 'Second?', 'b')];
    const rounds = roundsOf(aSuite({ conversations, questions }));
    expect(
      rounds.map(({ conversations: kept, asked }) => [
        kept.map(({ key }) => key),
        asked.map(({ set, question }) => `${question.id} ${set}`),
      ]),
    ).toEqual([
      [['b'], ['1 left out', '2 answerable']],
      [['a'], ['1 answerable', '2 left out']],
    ]);
  });
});
