import { alternatives, derived } from './languages.js';

/** Whether a question wants a number for its answer: a price, an amount, a length, a share. */
export function asksNumber(query: string): boolean {
  return patterns().asked.test(query);
}

/** Whether a text holds a number, in digits or in words. */
export function holdsNumber(text: string): boolean {
  return patterns().held.test(text);
}

const patterns = derived(() => ({
  asked: new RegExp(
    alternatives(({ questions }) => questions?.number),
    'iu',
  ),
  held: new RegExp(`\\p{Nd}|${alternatives(({ words }) => words?.numbers)}`, 'iu'),
}));
