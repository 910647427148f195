import { describe, expect, it } from 'vitest';
import { aConversation, aNote, turns } from '../../support/conversation.js';
import { aService } from '../../support/service.js';

describe('a question about a named person', () => {
  it("is not answered with the successor of another person's fact", async () => {
    const service = await aService();
    await service.insert(aNote('My sister Zoë moved to Łódź.', { timestamp: '2026-01-02' }));
    await service.insert(aNote('I live in Berlin, in a teal house.', { timestamp: '2026-01-10' }));
    await service.insert(aNote('I live in Vienna now.', { timestamp: '2026-02-10' }));
    const { answer, answer_basis } = await service.ask({ question: 'Where does Zoe live?' });
    expect(answer_basis).toBe('direct_memory');
    expect(answer).toMatch(/^My sister Zoë moved to Łódź\./);
  });

  it('is answered less surely with what does not mention them', async () => {
    const service = await aService();
    await service.insert(aNote('I am vegetarian and allergic to hazelnuts.'));
    await service.insert(aNote('Jürgen cooks for everybody on Fridays.'));
    const sure = await service.ask({ question: 'Who is allergic to hazelnuts?' });
    const answer = await service.ask({ question: 'Is Jürgen allergic to hazelnuts?' });
    expect(sure.confidence).toBe('high');
    expect(answer.confidence).not.toBe('high');
    expect(answer.confidence_reason).toContain('it does not mention “Jürgen”');
  });

  it.each([
    ['the quote', aNote('Jürgen is allergic to hazelnuts.')],
    ['the sentence before', aNote('Jürgen came for dinner. He is allergic to hazelnuts.')],
    [
      'the turn before',
      aConversation({ messages: turns('What do I cook for Jürgen?', 'He is allergic to hazelnuts.') }),
    ],
    ['the title', aNote('He is allergic to hazelnuts.', { title: 'Dinner with Jürgen' })],
  ])('is not doubted for that where %s does', async (_, conversation) => {
    const service = await aService();
    await service.insert(conversation);
    const answer = await service.ask({ question: 'Is Jürgen allergic to hazelnuts?' });
    expect(answer.answer).toContain('allergic to hazelnuts');
    expect(answer.confidence_reason).not.toContain('does not mention');
  });

  it('may be answered by them without their name', async () => {
    const service = await aService();
    const messages = turns('Nora: I baked the lemon cake.', 'Mark: It was good.', 'Nora: Thanks!', 'Mark: Sure.');
    await service.insert(aConversation({ source: 'whatsapp', messages }));
    const answer = await service.ask({ question: 'Did Nora bake the lemon cake?' });
    expect(answer.answer).toContain('I baked the lemon cake');
    expect(answer.confidence_reason).not.toContain('does not mention');
  });
});

describe('a name that is typed without its accents', () => {
  const stored = [
    'Ondřej is my neighbour from the second floor.',
    'Jürgen does not eat fish.',
    "Siobhán's daughter starts school in autumn.",
    'Zoë is the vet of our cat.',
    'Łukasz and Søren paint the fence.',
    'Frau Weiß keeps the spare key.',
  ];

  it.each([
    ['Who is Ondrej?', 'Ondřej'],
    ['Who is Zoe?', 'Zoë'],
    ['What does Jurgen not eat?', 'Jürgen'],
    ["What about Siobhan's daughter?", 'Siobhán'],
    ['Which fence do Lukasz and Soren paint?', 'Łukasz'],
    ['Which spare key does Weiss keep?', 'Weiß'],
  ])('is known: %s', async (question, name) => {
    const service = await aService();
    for (const text of stored) await service.insert(aNote(text));
    expect((await service.ask({ question })).answer).toContain(name);
  });

  it('is not confused with a longer one', async () => {
    const service = await aService();
    await service.insert(aNote('The zoeae of a crab drift in the sea.'));
    const { confidence_reason } = await service.ask({ question: 'Who is Zoe?' });
    expect(confidence_reason).toBe('Nothing in memory mentions “Zoe”.');
  });
});
