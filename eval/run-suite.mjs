// One suite against one fresh service: insert everything, ask everything, compare with the labels and the control.
import { bm25Control } from './control.mjs';
import { percentile, scoreAnswer, summarise } from './metrics.mjs';
import { nonsenseIn } from './nonsense.mjs';

/** The report of a suite, and for every question whose evidence is not among the first five what came back instead. */
export async function runSuite(service, suite, { topK, writers }) {
  const { keysOf, insert } = await insertAll(service, suite, writers);
  const control = bm25Control(suite.conversations);
  const rows = [];
  const controlRows = [];
  const latencies = [];
  const misses = [];
  const evidence = [];
  for (const question of suite.questions) {
    const from = performance.now();
    const { results } = await service.search({
      query: question.text,
      top_k: topK,
      result_mode: 'chunks',
      ...question.filter,
    });
    latencies.push(performance.now() - from);
    const hits = results.map(({ id, chunk_index: index }) => keysOf.get(id).map((key) => [key, index]));
    const row = scoreAnswer(question, hits);
    rows.push(row);
    evidence.push(...results.filter((_, at) => isEvidence(question, hits[at])));
    controlRows.push(
      scoreAnswer(
        question,
        control(question, topK).map((hit) => [hit]),
      ),
    );
    if (row.labelled && row['any@5'] === 0) misses.push(missOf(suite, question, { row, hits }));
  }
  const report = {
    suite: suite.name,
    license: suite.license,
    conversations: suite.conversations.length,
    messages: countMessages(suite),
    questions: suite.questions.length,
    top_k: topK,
    insert,
    search: { p50_ms: tenths(percentile(latencies, 0.5)), p95_ms: tenths(percentile(latencies, 0.95)) },
    kinds: summarise(rows),
    control: summarise(controlRows),
    match: { evidence: strongOf(evidence), ...(await matchOfNonsense(service, suite, topK)) },
    ranks: Object.fromEntries(suite.questions.map(({ id }, at) => [id, rows[at].rank ?? 0])),
  };
  return { report, misses };
}

/** How many nonsense queries of each kind are asked for each filter that the questions have. */
const nonsenseQueries = 40;

/**
 * How many results of nonsense are strong, with every filter of the suite, in the language that its questions are named
 * after. A message that contains all the unrelated words is what was asked for, so it does not count.
 */
async function matchOfNonsense(service, { questions }, topK) {
  const found = { invented: [], unrelated: [] };
  const filters = new Map(questions.map(({ filter, kind }) => [JSON.stringify(filter), { filter, kind }]));
  for (const { filter, kind } of filters.values()) {
    for (const [group, queries] of Object.entries(nonsenseIn(kind, nonsenseQueries))) {
      for (const query of queries) {
        const { results } = await service.search({ query, top_k: topK, result_mode: 'chunks', ...filter });
        found[group].push(...results.filter(({ text }) => !holdsAll(text, query)));
      }
    }
  }
  return Object.fromEntries(Object.entries(found).map(([group, results]) => [group, strongOf(results)]));
}

function holdsAll(text, query) {
  const letters = text.toLowerCase();
  return query
    .toLowerCase()
    .split(' ')
    .every((word) => letters.includes(word));
}

function isEvidence({ evidence }, places) {
  return evidence.some(([key, index]) => places.some((place) => place[0] === key && place[1] === index));
}

function strongOf(results) {
  const strong = results.filter(({ match }) => match === 'strong').length;
  return { results: results.length, strong: results.length === 0 ? 0 : Number((strong / results.length).toFixed(4)) };
}

/** Identical conversations share one id, so an id stands for one or more keys. */
async function insertAll(service, suite, writers) {
  const keysOf = new Map();
  const latencies = [];
  let next = 0;
  const started = performance.now();
  const write = async () => {
    while (next < suite.conversations.length) {
      const { key, conversation } = suite.conversations[next++];
      const from = performance.now();
      const { id, indexing } = await service.insert(conversation);
      if (indexing === 'pending') throw new Error('the service could not embed: its vectors would be missing');
      latencies.push(performance.now() - from);
      keysOf.set(id, [...(keysOf.get(id) ?? []), key]);
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  const seconds = (performance.now() - started) / 1000;
  const insert = {
    writers,
    messages_per_second: Math.round(countMessages(suite) / seconds),
    p50_ms: tenths(percentile(latencies, 0.5)),
    p95_ms: tenths(percentile(latencies, 0.95)),
  };
  return { keysOf, insert };
}

function missOf(suite, { id, kind, text, answer, evidence }, { row, hits }) {
  const messages = new Map(suite.conversations.map(({ key, conversation }) => [key, conversation.messages]));
  const textAt = ([key, index]) => `${key}#${index} ${messages.get(key)?.[index]?.text}`;
  const best = hits.slice(0, 3).map(([place]) => textAt(place));
  return { id, kind, question: text, answer, rank: row.rank ?? 0, evidence: evidence.map(textAt), best };
}

function countMessages({ conversations }) {
  return conversations.reduce((sum, { conversation }) => sum + conversation.messages.length, 0);
}

function tenths(value) {
  return Number(value.toFixed(1));
}
