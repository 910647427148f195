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
