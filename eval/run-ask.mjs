// Asks a suite's questions and counts what came back: is the answer there, and does the service know when it is not?
import { percentile } from './metrics.mjs';

const labels = ['high', 'medium', 'low', 'none'];

/** `open` starts a fresh service; every round needs a store of its own. */
export async function runAsk(open, suite, rounds, { topK, writers }) {
  const rows = [];
  const latencies = [];
  for (const { conversations, asked } of rounds) {
    const service = await open();
    try {
      const keysOf = await insertAll(service, conversations, writers);
      for (const { set, question } of asked) {
        const from = performance.now();
        const answer = await service.ask({
          question: question.text,
          top_k: topK,
          include_messages: false,
          ...(question.date === undefined ? {} : { reference_date: question.date.slice(0, 10) }),
          ...question.filter,
        });
        latencies.push(performance.now() - from);
        rows.push(rowOf(set, question, { answer, keysOf }));
      }
    } finally {
      await service.stop();
    }
  }
  const sets = [...new Set(rows.map(({ set }) => set))];
  const report = {
    suite: suite.name,
    license: suite.license,
    top_k: topK,
    ask: { p50_ms: tenths(percentile(latencies, 0.5)), p95_ms: tenths(percentile(latencies, 0.95)) },
    sets: Object.fromEntries(sets.map((set) => [set, summaryOf(rows.filter((row) => row.set === set))])),
  };
  return { report, rows };
}

async function insertAll(service, conversations, writers) {
  const keysOf = new Map();
  let next = 0;
  const write = async () => {
    while (next < conversations.length) {
      const { key, conversation } = conversations[next++];
      const { id } = await service.insert(conversation);
      keysOf.set(id, [...(keysOf.get(id) ?? []), key]);
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  return keysOf;
}

function rowOf(set, { id, kind, text, answer: wanted, evidence, keys }, { answer, keysOf }) {
  const places = answer.citations.flatMap((citation) =>
    chunksOf(citation, answer).flatMap(([conversation, index]) =>
      (keysOf.get(conversation) ?? []).map((key) => ({ key, place: `${key}#${index}` })),
    ),
  );
  const isWanted = ({ place }) => evidence.some(([key, index]) => `${key}#${index}` === place);
  return {
    set,
    id,
    kind,
    question: text,
    wanted,
    answer: answer.answer,
    basis: answer.answer_basis,
    confidence: answer.confidence,
    reason: answer.confidence_reason,
    cites: places.some(isWanted),
    citesSession: places.some(({ key }) => keys.includes(key)),
    lines: answer.answer.split('\n').length,
    characters: answer.answer.length,
  };
}

/** A cited fact stands for the sentences that state it. */
function chunksOf(citation, { evidence }) {
  if (citation.type === 'chunk') return [[citation.id, citation.chunk_index]];
  const fact = evidence.find(({ fact_id: id }) => id === citation.fact_id);
  return fact.sources.map((source) => [source.conversation_id, source.chunk_index]);
}

function summaryOf(rows) {
  const kinds = [...new Set(rows.map(({ kind }) => kind))];
  return Object.fromEntries([
    ['all', sharesOf(rows)],
    ...kinds.map((kind) => [kind, sharesOf(rows.filter((row) => row.kind === kind))]),
  ]);
}

/** `unsure` is what an unanswerable question deserves, `answered` and `cites` what an answerable one does. */
function sharesOf(rows) {
  const share = (is) => Number((rows.filter(is).length / Math.max(1, rows.length)).toFixed(3));
  return {
    n: rows.length,
    ...Object.fromEntries(labels.map((label) => [label, share(({ confidence }) => confidence === label)])),
    unsure: share(({ confidence }) => confidence === 'low' || confidence === 'none'),
    answered: share(({ confidence }) => confidence !== 'none'),
    cites: share(({ confidence, cites }) => confidence !== 'none' && cites),
    sure_and_cites: share(({ confidence, cites }) => (confidence === 'high' || confidence === 'medium') && cites),
    cites_session: share(({ confidence, citesSession }) => confidence !== 'none' && citesSession),
    characters: Math.round(rows.reduce((sum, row) => sum + row.characters, 0) / Math.max(1, rows.length)),
  };
}

function tenths(value) {
  return Number(value.toFixed(1));
}
