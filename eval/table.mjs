// The report of a suite as text: a block per kind, ours, the control and the difference to the previous run.

const columns = ['any@5', 'recall@5', 'recall@10', 'all@10', 'mrr', 'session any@5', 'session all@5'];

export function tableOf(report, previous) {
  const { suite, conversations, messages, questions, top_k: topK, insert, search, match } = report;
  const lines = [
    `${suite}: ${conversations} conversations, ${messages} messages, ${questions} questions, top_k ${topK}`,
    `insert ${insert.messages_per_second} messages/s (${insert.writers} writers), search p50 ${search.p50_ms} ms, p95 ${search.p95_ms} ms`,
    `strong: ${Object.entries(match)
      .map(([group, { results, strong }]) => `${fixed(strong)} of ${results} ${group}`)
      .join(', ')}`,
    row('', 'n', columns),
  ];
  for (const [kind, ours] of Object.entries(report.kinds)) {
    const before = previous?.kinds[kind];
    lines.push(
      row(
        kind,
        String(ours.n),
        columns.map((metric) => fixed(ours[metric])),
      ),
    );
    lines.push(
      row(
        '  bm25',
        '',
        columns.map((metric) => fixed(report.control[kind][metric])),
      ),
    );
    if (before)
      lines.push(
        row(
          '  change',
          '',
          columns.map((metric) => signed(ours[metric] - before[metric])),
        ),
      );
  }
  return lines.join('\n');
}

function row(name, count, cells) {
  const padded = cells.map((cell, at) => cell.padStart(Math.max(columns[at].length, 6)));
  return [name.padEnd(26), count.padStart(5), ...padded].join('  ').trimEnd();
}

function fixed(value) {
  return value.toFixed(3);
}

function signed(value) {
  const text = value.toFixed(3);
  return Number(text) === 0 ? '=' : value > 0 ? `+${text}` : text;
}
