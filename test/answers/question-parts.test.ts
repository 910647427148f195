import { describe, expect, it } from 'vitest';
import { questionParts } from '../../src/answers/question.js';

const textsOf = (question: string): string[] => questionParts(question).map(({ text }) => text);

describe('the parts of a question', () => {
  it.each([
    [
      "What's the new school called, and which club did Alfie join?",
      ["What's the new school called?", 'Which club did Alfie join?'],
    ],
    ['Where did we start and where did we end up staying?', ['Where did we start?', 'Where did we end up staying?']],
    [
      'Which camera did she give me, and in which town did I lose it?',
      ['Which camera did she give me?', 'In which town did I lose it?'],
    ],
    [
      'Wer hat die Platte ausgebaut, und was ist mit dem Sauerteig passiert?',
      ['Wer hat die Platte ausgebaut?', 'Was ist mit dem Sauerteig passiert?'],
    ],
    ['Qui garde le chat, et combien coûte la pension ?', ['Qui garde le chat?', 'Combien coûte la pension?']],
    ['¿Dónde vivo ahora y cuánto pago de alquiler?', ['¿Dónde vivo ahora?', 'Cuánto pago de alquiler?']],
    ['Де я працюю, і скільки мені платять?', ['Де я працюю?', 'Скільки мені платять?']],
    ['我现在住在哪里，房租多少？', ['我现在住在哪里?', '房租多少?']],
    ['今の会社はどこで、上司は誰ですか？', ['今の会社はどこで?', '上司は誰ですか?']],
    ['أين أعمل الآن وكم راتبي؟', ['أين أعمل الآن?', 'كم راتبي?']],
  ])('are two: %s', (question, parts) => {
    expect(textsOf(question)).toEqual(parts);
  });

  it.each([
    'When did Hannah and I split up?',
    'What did Tom and Jerry buy?',
    'What did she go on to do, and where?',
    'My landlord called and what he said about the boiler was odd.',
    'Seit wann sind Mikkel und ich ein Paar?',
    '上次说的那家店，叫什么名字？',
    'bread and butter',
    '',
  ])('are one: %s', (question) => {
    expect(textsOf(question)).toEqual([question]);
  });

  it('are looked for with the whole question where the second alone names nothing', () => {
    const question = 'Who rang mum every day, and what does he do for a living?';
    expect(questionParts(question).map(({ query }) => query)).toEqual(['Who rang mum every day?', question]);
  });
});
