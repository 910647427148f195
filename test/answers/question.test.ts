import { describe, expect, it } from 'vitest';
import { namesIn, type QuestionKind, readingQuestion } from '../../src/answers/question.js';
import { finished } from '../../src/model/steps.js';

const today = '2026-11-15T00:00:00Z';

describe('a question', () => {
  it.each<[string, QuestionKind]>([
    ['When did I go to the dentist?', 'when'],
    ['What day is the meeting?', 'when'],
    ['Where do I live?', 'where'],
    ['Which city did Nora visit?', 'where'],
    ['Who booked the table?', 'who'],
    ['How many kids do I have?', 'how_many'],
    ['How long has Nate had his turtles?', 'how_many'],
    ['Why did we move?', 'why'],
    ['Do I like olives?', 'yes_no'],
    ['What is my name?', 'what'],
    ['Wo liegt der Schlüssel?', 'where'],
    ['Wie viele Kinder habe ich?', 'how_many'],
    ['Wann war das?', 'when'],
    ['Où est la clé ?', 'where'],
    ['¿Quién llamó?', 'who'],
    ['Скільки це коштує?', 'how_many'],
    ['钥匙在哪里？', 'where'],
    ['我喜欢橄榄吗？', 'yes_no'],
  ])('%s asks %s', (text, kind) => {
    expect(finished(readingQuestion(text, today)).kind).toBe(kind);
  });

  it.each([
    ['Where did I live before?', true, false],
    ['What was my previous job?', true, false],
    ['Where do I live?', false, true],
    ['What did I eat?', false, false],
    ['Wo habe ich früher gewohnt?', true, false],
    ['Who was I with before?', true, false],
    ['What was her shoe size before?', true, false],
    ['Did we buy the car before or after the move?', false, false],
  ])('%s asks about the past: %s, about the present: %s', (text, asksPast, asksPresent) => {
    expect(finished(readingQuestion(text, today))).toMatchObject({ asksPast, asksPresent });
  });

  it('names the people and things it cannot do without', () => {
    const names = (text: string): string[] =>
      finished(readingQuestion(text, today)).names.map(({ written }) => written);
    expect(names("What did Caroline's sister say about LGBTQ events?")).toEqual(['Caroline', 'LGBTQ']);
    expect(names('Where does Nora live?')).toEqual(['Nora']);
    expect(names('Caroline went where?')).toEqual([]);
    expect(names('What did I do on Monday in May 2023?')).toEqual([]);
    expect(names('What Is My Favorite Food')).toEqual([]);
    expect(names('Wo liegt der Schlüssel für den Keller?')).toEqual([]);
  });

  it('keeps the words of a time apart', () => {
    const { timeTerms } = finished(readingQuestion('What did Melanie lose in October 2023?', today));
    expect([...timeTerms].sort()).toEqual(['2023', 'october']);
  });

  it.each([
    ['What did I say last week?', true],
    ['What did we talk about last month?', true],
    ['What happened in September?', true],
    ['Was ist letzte Woche passiert?', true],
    ["Qu'est-ce que j'ai dit hier ?", true],
    ['¿Qué hicimos ayer?', true],
    ['Що я казала вчора?', true],
    ['我昨天说了什么？', true],
    ['What did I buy yesterday?', false],
    ['What did Nora say yesterday?', false],
    ['What do I have on Saturday?', false],
    ['When did I go last week?', false],
    ['What did I say?', false],
  ])('names nothing but a time: %s is %s', (text, isTimeAlone) => {
    expect(finished(readingQuestion(text, today)).isTimeAlone).toBe(isTimeAlone);
  });

  it('finds no names in a text in capitals', () => {
    expect(namesIn('WHERE IS THE KEY')).toEqual([]);
  });
});
