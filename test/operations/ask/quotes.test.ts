import { describe, expect, it } from 'vitest';
import { aConversation, aNote, turns } from '../../support/conversation.js';
import { aService } from '../../support/service.js';

const answered = async (question: string, ...conversations: string[][]): Promise<string> => {
  const service = await aService();
  await service.insert(aNote('The weather in the hills was fine all week.'));
  for (const texts of conversations) await service.insert(aConversation({ messages: turns(...texts) }));
  return (await service.ask({ question })).answer;
};

describe('a reply that only repeats or praises', () => {
  it.each([
    ['What colour is my car?', 'Since May I drive a blue Škoda Octavia.', 'Nice car!', 'blue'],
    [
      'What is my salary?',
      'They pay me 4,200 euros a month, that is my salary now.',
      'That is a good salary.',
      '4,200',
    ],
    ['What is the name of our cat?', 'We took the kitten home, its name is Minka.', 'A cat it is.', 'Minka'],
    ['How much was my guitar?', 'For the guitar I paid 300 euros.', 'Great guitar!', '300 euros'],
    ['Welche Farbe hat mein Auto?', 'Ich habe jetzt ein blaues Auto von Škoda.', 'Schönes Auto!', 'blaues'],
  ])('is no answer: %s', async (question, told, reply, wanted) => {
    const answer = await answered(question, [told, reply]);
    expect(answer).toContain(wanted);
    expect(answer).not.toContain(reply);
  });

  it('is one where the turn before asks, or where the assistant is asked for', async () => {
    expect(await answered('Is the cat ours?', ['So is the cat ours?', 'Yes, the cat it is.'])).toContain(
      'the cat it is',
    );
    expect(await answered('What did you say about my car?', ['I drive a Škoda now.', 'Nice car!'])).toContain(
      'Nice car!',
    );
  });
});

describe('a heading', () => {
  it.each([
    [
      'What is on the shopping list?',
      'Shopping list for Sunday:\n- oat milk\n- eggs\n\nSee you!',
      'Shopping list for Sunday: - oat milk - eggs',
    ],
    [
      'What are the deploy steps?',
      'Deploy steps:\n\n1. Pull the image.\n2. Restart it. Wait.\nBye.',
      'Deploy steps: 1. Pull the image. 2. Restart it. Wait.',
    ],
    [
      'Welche Ideen hatte ich für den Urlaub?',
      'Ideen für den Urlaub:\nTriest\nder Bodensee\n\nBis bald!',
      'Ideen für den Urlaub: Triest der Bodensee',
    ],
  ])('is quoted with what it announces: %s', async (question, text, answer) => {
    expect(await answered(question, [text])).toBe(answer);
  });

  it('of a long list is quoted with as much as a quote holds', async () => {
    const items = Array.from({ length: 60 }, (_, at) => `- thing number ${at}`);
    const answer = await answered('What is on the packing list?', [['The packing list:', ...items].join('\n')]);
    expect(answer).toMatch(/^The packing list: - thing number 0 - thing number 1 .*…$/u);
    expect(answer.length).toBeLessThan(330);
  });
});

describe('a sentence that only repeats the question', () => {
  it('is quoted with the one before it', async () => {
    const texts = ['Last night I finished Stoner by John Williams. My favourite book now.'];
    expect(await answered('What is my favourite book?', texts)).toContain('Stoner');
  });
});

describe('a question for what the assistant said', () => {
  const error = 'Error: "ECONNREFUSED" when I run docker-compose up. That docker error again.';
  const question = 'What did you recommend for the docker error?';

  it('is answered with its words where they are known', async () => {
    const answer = await answered(question, [error, 'For that docker error, start the daemon first.']);
    expect(answer).toContain('start the daemon first');
    expect(answer).not.toMatch(/^Error/u);
  });

  it('is answered with the words of the user with little confidence', async () => {
    const service = await aService();
    await service.insert(aNote(error));
    expect(await service.ask({ question })).toMatchObject({ confidence: 'low' });
  });

  it('is none where the assistant is only spoken to', async () => {
    const service = await aService();
    await service.insert(aNote('The spare key lies under the blue flowerpot.'));
    const asked = { question: 'Do you know where the spare key lies?' };
    expect(await service.ask(asked)).toMatchObject({ confidence: 'high' });
  });
});
