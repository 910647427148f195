// What came back against what was labelled. docs/retrieval.md says what each metric means.

const turnMetrics = ['any@5', 'any@10', 'recall@5', 'recall@10', 'all@5', 'all@10', 'mrr'];
const sessionMetrics = ['session any@5', 'session any@10', 'session all@5', 'session all@10'];

/**
 * Scores one answer. Each hit is a list of `[key, message index]`: conversations with the same content are stored once, so
 * one hit may stand for several of the suite's. `rank` is that of the first evidence message, absent when there is none.
 */
export function scoreAnswer({ kind, evidence, keys }, hits) {
  const turns = hits.map((places) => places.map(([key, index]) => `${key}#${index}`));
  const sessions = sessionsOf(hits);
  const wanted = evidence.map(([key, index]) => `${key}#${index}`);
  const at = turns.findIndex((turn) => turn.some((place) => wanted.includes(place)));
  const row = {
    kind,
    labelled: wanted.length > 0,
    mrr: at < 0 ? 0 : 1 / (at + 1),
    ...(at < 0 ? {} : { rank: at + 1 }),
  };
  for (const depth of [5, 10]) {
    const found = shareFound(wanted, turns.slice(0, depth));
    row[`any@${depth}`] = found > 0 ? 1 : 0;
    row[`recall@${depth}`] = found;
    row[`all@${depth}`] = found === 1 ? 1 : 0;
    const met = shareFound(keys, sessions.slice(0, depth));
    row[`session any@${depth}`] = met > 0 ? 1 : 0;
    row[`session all@${depth}`] = met === 1 ? 1 : 0;
  }
  return row;
}

/** Means over all rows and over those of each kind. Questions without labelled turns count for the sessions alone. */
export function summarise(rows) {
  const kinds = [...new Set(rows.map(({ kind }) => kind))];
  return Object.fromEntries([
    ['all', meansOf(rows)],
    ...kinds.map((kind) => [kind, meansOf(rows.filter((row) => row.kind === kind))]),
  ]);
}

/** The value below which the given share of the values lies. */
export function percentile(values, share) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

/** Conversations in the order of their first message among the hits. */
function sessionsOf(hits) {
  const sessions = new Map();
  for (const places of hits) {
    const keys = places.map(([key]) => key);
    if (!sessions.has(keys[0])) sessions.set(keys[0], keys);
  }
  return [...sessions.values()];
}

function shareFound(wanted, lists) {
  if (wanted.length === 0) return 0;
  return wanted.filter((one) => lists.some((list) => list.includes(one))).length / wanted.length;
}

function meansOf(rows) {
  const labelled = rows.filter((row) => row.labelled);
  const mean = (set, metric) => rounded(set.reduce((sum, row) => sum + row[metric], 0) / Math.max(1, set.length));
  return {
    n: rows.length,
    ...Object.fromEntries(turnMetrics.map((metric) => [metric, mean(labelled, metric)])),
    ...Object.fromEntries(sessionMetrics.map((metric) => [metric, mean(rows, metric)])),
  };
}

function rounded(value) {
  return Number(value.toFixed(4));
}
