// Questions whose answers are in the store, and questions whose answers are not, from the same labels.

/**
 * How a suite is asked. Where every question is about one source, the questions of one source are put to another: once as
 * they are (the people they name are not there), once with the names of the people who are (nothing gives them away).
 * Where all share one store, the conversations that answer every second question are left out, once each half.
 */
export function roundsOf(suite) {
  const sources = [...new Set(suite.questions.map(({ filter }) => filter?.source))];
  return sources.length > 1 && !sources.includes(undefined) ? [crossed(suite, sources)] : halved(suite);
}

function crossed(suite, sources) {
  const people = new Map(sources.map((source) => [source, speakersOf(suite, source)]));
  const asked = suite.questions.flatMap((question) => {
    const own = question.filter.source;
    const other = sources[(sources.indexOf(own) + 1) % sources.length];
    const elsewhere = { ...question, filter: { source: other }, evidence: [], keys: [] };
    return [
      { set: 'answerable', question },
      { set: 'elsewhere', question: elsewhere },
      { set: 'renamed', question: { ...elsewhere, text: renamed(question.text, people.get(own), people.get(other)) } },
    ];
  });
  return { conversations: suite.conversations, asked };
}

function halved(suite) {
  return [0, 1].map((half) => {
    const isLeftOut = (_, at) => at % 2 === half;
    const gone = new Set(suite.questions.filter(isLeftOut).flatMap(({ keys }) => keys));
    return {
      conversations: suite.conversations.filter(({ key }) => !gone.has(key)),
      asked: suite.questions.flatMap((question, at) => {
        if (isLeftOut(question, at)) return [{ set: 'left out', question: { ...question, evidence: [], keys: [] } }];
        // One conversation may answer a question of either half.
        return question.keys.some((key) => gone.has(key)) ? [] : [{ set: 'answerable', question }];
      }),
    };
  });
}

/** The names in front of the turns of a source, the most frequent first. */
function speakersOf({ conversations }, source) {
  const counts = new Map();
  for (const { conversation } of conversations) {
    if (conversation.source !== source) continue;
    for (const { text } of conversation.messages) {
      const name = /^(\p{Lu}[\p{L}'’-]+):/u.exec(text)?.[1];
      if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return [...counts].sort(([, one], [, other]) => other - one).map(([name]) => name);
}

function renamed(text, names, others) {
  return names
    .slice(0, 2)
    .reduce((rest, name, at) => rest.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), others[at] ?? name), text);
}
