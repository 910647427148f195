/** Collects what was asked and what came back, in bounded memory. */
export function createNotes() {
  const phases = new Map();
  const failures = new Map();
  const series = (phase, operation) => {
    const key = `${phase} ${operation}`;
    const known = phases.get(key) ?? { phase, operation, requests: 0, failed: 0, degraded: 0, times: [] };
    phases.set(key, known);
    return known;
  };
  return {
    note({ operation, phase, fault, ms, answer }) {
      const ok = answer.status === 200;
      const degraded = ok && (answer.body.diagnostics !== undefined || answer.body.indexing === 'pending');
      for (const each of [series(phase, operation), series(phase, 'all')]) {
        each.requests += 1;
        if (!ok) each.failed += 1;
        if (degraded) each.degraded += 1;
        each.times.push(ms);
      }
      if (ok) return;
      const key = [phase, phase === 'clear' ? '' : fault, operation, answer.status, answer.body.error_code ?? ''].join(
        '|',
      );
      failures.set(key, (failures.get(key) ?? 0) + 1);
      // A response that asks for a retry must say when.
      if ([429, 503].includes(answer.status) && !/^\d+$/.test(answer.retryAfter ?? ''))
        failures.set('no Retry-After', 1);
    },
    table: () =>
      [...phases.values()].map(({ times, ...rest }) => {
        const sorted = times.toSorted((one, other) => one - other);
        const at = (share) => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10;
        return { ...rest, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: Math.round(sorted.at(-1) ?? 0) };
      }),
    failures: () => Object.fromEntries([...failures].sort()),
  };
}

/** The middle of the looks between two shares of the run. */
export function middle(looks, from, to, value) {
  const part = looks.slice(Math.floor(looks.length * from), Math.ceil(looks.length * to)).map(value);
  return part.toSorted((one, other) => one - other)[Math.floor(part.length / 2)] ?? 0;
}
