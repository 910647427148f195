// One suite against one fresh service: insert everything, ask everything, compare with the labels and the control.
import { bm25Control } from './control.mjs';
import { percentile, scoreAnswer, summarise } from './metrics.mjs';

/** The report of a suite, and for every question whose evidence is not among the first five what came back instead. */
export async function runSuite(service, suite, { topK, writers }) {
  const { keysOf, insert } = await insertAll(service, suite, writers);
  const control = bm25Control(suite.conversations);
  const rows = [];
  const controlRows = [];
  const latencies = [];
  const misses = [];
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
    ranks: Object.fromEntries(suite.questions.map(({ id }, at) => [id, rows[at].rank ?? 0])),
  };
  return { report, misses };
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
