import type { Role } from '../model/conversation.js';
import type { PersonWords } from './language.js';
import { alternatives, derived } from './languages.js';

/**
 * Whose words a question is about: "what did you suggest" asks for the assistant's, "did I mention my …" for the
 * user's. Undefined when it does not say.
 */
export function personAsked(query: string): Role | undefined {
  const { assistant, advice, user } = personPatterns();
  if (assistant.test(query) || advice.test(query)) return 'assistant';
  return user.test(query) ? 'user' : undefined;
}

/**
 * Whether a question asks for something the assistant said. "Do you know where I parked?" is addressed to the assistant
 * but asks for the user's words.
 */
export function asksForReply(query: string): boolean {
  return personPatterns().reply.test(query);
}

const personPatterns = derived(() => {
  const any = (...parts: (keyof PersonWords)[]): RegExp =>
    new RegExp(parts.map((part) => alternatives(({ questions }) => questions?.person?.[part])).join('|'), 'iu');
  return {
    assistant: any('assistant', 'replies'),
    reply: any('reply', 'replies'),
    advice: any('advice'),
    user: any('user'),
  };
});

/** Whether a question asks for a number: a price, an amount, a length, a share. */
export function asksNumber(query: string): boolean {
  return numberPatterns().asked.test(query);
}

/** Whether a text contains a number, in digits or words. */
export function holdsNumber(text: string): boolean {
  return numberPatterns().held.test(text);
}

const numberPatterns = derived(() => ({
  asked: new RegExp(
    alternatives(({ questions }) => questions?.number),
    'iu',
  ),
  held: new RegExp(`\\p{Nd}|${alternatives(({ words }) => words?.numbers)}`, 'iu'),
}));
