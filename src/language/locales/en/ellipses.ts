import type { Ellipsis } from '../../fact-words.js';

/** The subject may be someone else: "I know a guy who moved to Berlin and got a dog". */
const others = '(?<!\\p{L})(?:who|whose|which|that|he|she|they)(?!\\p{L})|,\\s*I (?:think|believe|guess|suppose),';
/** "I would have sold it and bought another". A month has a capital. */
const supposed = `${others}|(?<!\\p{L})(?:will|would|could|should|may|might|must|wish|hope)(?!\\p{L})|'(?:ll|d)(?!\\p{L})`;
/** "I want to travel and work abroad": the second verb is a wish too, not a fact. "To Rome" is a place. */
const unfinished = `${supposed}|(?<!\\p{L})(?:to(?!\\s+\\p{Lu})|can|[Ll]et|going|[Pp]lease)(?!\\p{L})`;

const present = 'live|work|own|love|hate|speak|play|prefer|enjoy|drive|have|study|am';
const past =
  'bought|got|sold|gave|adopted|inherited|joined|quit|became|moved|relocated|started|studied|graduated|switched|turned';
const joint = '(?:,\\s*|\\s+)(?:and|but)\\s+';

const iAm = /^(?:.{0,40}[\s,])?(?:I am|I'm)(?!\p{L})/iu;
const state =
  '(?:also\\s+)?(?:(?:severely|mildly)\\s+)?(?:allergic to|living in|based in|originally from|working (?:as|at|for)|fluent in|married to)\\s';

export const ellipses: readonly Ellipsis[] = [
  ...(['I', 'We'] as const).flatMap((who): Ellipsis[] => {
    const speaker = new RegExp(`^(?:.{0,40}[\\s,])?${who}(?:'m|'re|'ve)?(?!\\p{L})`, 'iu');
    const put = `${who} `;
    return [
      {
        speaker,
        put,
        joint: after(`${joint}(?:then\\s+|later\\s+)?`, `(?:${present})\\s`),
        unless: new RegExp(unfinished, 'u'),
      },
      {
        speaker,
        put,
        joint: after(`(?:${joint}|,\\s*)(?:then\\s+|later\\s+)?`, `(?:${past})\\s`),
        unless: new RegExp(supposed, 'u'),
      },
      // A present fact counts, even after a wish.
      { speaker, put, joint: after(`(?:${joint}|,\\s*)`, `now\\s+(?:${present})\\s`) },
    ];
  }),
  {
    speaker: /^(?:.{0,40}[\s,])?I(?:'m|'ve)?(?!\p{L})/iu,
    joint: after(`(?:${joint}|,\\s*)`, '(?:now|currently)\\s+(?:living|based|working)\\s'),
    put: "I'm ",
  },
  { speaker: iAm, joint: after(joint, state), put: "I'm ", unless: new RegExp(others, 'u') },
  // "I'm from Graz, living in Linz", but not "I'm visiting Anna, living in Linz".
  { speaker: iAm, joint: after(',\\s*', state), put: "I'm ", unless: /(?:am|'m)\s+(?:\p{L}+ly\s+)?\p{L}+ing\s/u },
];

function after(words: string, next: string): RegExp {
  return new RegExp(`${words}(?=${next})`, 'giu');
}
