import type { Language } from '../../language.js';

/**
 * Copy this folder to `locales/<code>/`, fill in what you know and add the language to `languages.ts`. You can leave
 * out any part. Give `facts` and `time` files of their own once they grow, as the other locales do. The comments in
 * `language.ts` and `fact-words.ts` say what each entry means.
 */
export const template: Language = {
  code: 'xx',
  script: 'latin',
  words: {
    // Search drops these from queries, and they identify the language of a text. Two dozen are a good start.
    functionWords: '',
  },
  time: {
    // Lower case, without accents. January and Monday first.
    months: [],
    weekdays: [],
    units: {},
    dayWords: {},
    // For example: date: ['{day} {month}(?: {year})?'], ago: ['{count} {unit} ago'].
    phrases: { day: ['{dayWord}'] },
  },
  questions: {
    // For example: where: /(?<!\p{L})where(?!\p{L})/u.
  },
  answers: {
    // For example, by the ids of `answers/fact-match.ts`: location: ['where do i live'].
    asks: {},
  },
  // For example: pets: 'puppy, my dog'.
  topics: {},
  // What a pasted conversation calls its speakers, such as user: 'you', said: 'said'.
  transcripts: {},
  facts: {
    // For example: ['i', 'i live in {}', 'profile_location', 'place'].
    rules: [],
    clauses: {},
    values: {},
  },
};
