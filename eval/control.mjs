// The control: plain BM25 over single messages, with nothing clever in it. What the service adds is what it beats this by.

const saturation = 1.2; // k1
const lengthShare = 0.75; // b

/** Runs of Unicode letters and digits, lower-cased. Scripts without blanks give one long word a clause, which seldom meets. */
export function wordsOf(text) {
  return text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

/**
 * `search(question, topK)` over the messages of the conversations that pass the question's filter; how rare a word is and
 * how long messages are is known from the whole suite, as it is to a service that holds all of it. Hits are
 * `[key, message index]`, best first, ties in the order of the suite.
 */
export function bm25Control(conversations) {
  const index = indexOf(conversations);
  return function search({ text, filter = {} }, topK) {
    return [...scoresOf(index, text)]
      .filter(([at]) => passes(index.messages[at].conversation, filter))
      .sort(([at, score], [otherAt, otherScore]) => otherScore - score || at - otherAt)
      .slice(0, topK)
      .map(([at]) => index.messages[at].hit);
  };
}

function passes(conversation, filter) {
  return Object.entries(filter).every(([field, value]) => conversation[field] === value);
}

function indexOf(conversations) {
  const messages = conversations.flatMap(({ key, conversation }) =>
    conversation.messages.map(({ text }, index) => ({ hit: [key, index], conversation, words: wordsOf(text) })),
  );
  const postings = new Map();
  messages.forEach(({ words }, at) => {
    for (const [word, count] of counted(words)) {
      if (!postings.has(word)) postings.set(word, []);
      postings.get(word).push([at, count]);
    }
  });
  const meanLength = messages.reduce((sum, { words }) => sum + words.length, 0) / messages.length;
  return { messages, postings, meanLength };
}

function counted(words) {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function scoresOf({ messages, postings, meanLength }, text) {
  const scores = new Map();
  for (const word of new Set(wordsOf(text))) {
    const found = postings.get(word) ?? [];
    const rarity = Math.log(1 + (messages.length - found.length + 0.5) / (found.length + 0.5));
    for (const [at, count] of found) {
      const length = 1 - lengthShare + (lengthShare * messages[at].words.length) / meanLength;
      const score = (rarity * count * (saturation + 1)) / (count + saturation * length);
      scores.set(at, (scores.get(at) ?? 0) + score);
    }
  }
  return scores;
}
