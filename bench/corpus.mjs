// Conversations for the benchmarks: made up, always the same, with word frequencies like those of real text.
const syllables = 'ka lo mi ne ra su ti vo pe da fi go hu ja ke la me no pi ru sa te vi wo'.split(' ');

export function corpus(seed = 1) {
  const random = randomFrom(seed);
  const words = Array.from({ length: 20_000 }, (_, rank) => wordOf(rank));
  // Zipf's law: the word of rank r is drawn about 1/r times as often as the first.
  const word = () => words[Math.floor(words.length ** random()) - 1] ?? words[0];
  const sentence = (length) => Array.from({ length }, word).join(' ');
  let number = 0;
  return {
    /** `words` makes every turn that many times as long. */
    conversation(turns = 10, words = 1) {
      number += 1;
      return {
        source: 'bench',
        title: sentence(4),
        timestamp: new Date(1_700_000_000_000 + number * 60_000).toISOString(),
        messages: Array.from({ length: turns }, (_, turn) => ({
          role: turn % 2 === 0 ? 'user' : 'assistant',
          text: `${sentence((turn % 2 === 0 ? 18 : 40) * words)} n${number}x${turn}.`,
        })),
      };
    },
    query: () => sentence(4),
  };
}

function wordOf(rank) {
  let text = '';
  for (let rest = rank + 24; rest > 0; rest = Math.floor(rest / syllables.length))
    text += syllables[rest % syllables.length];
  return text;
}

function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
