import { setTimeout as delay } from 'node:timers/promises';

/** What may go wrong, one at a time. */
const kinds = [
  { name: 'metadata writes fail', rules: [{ on: 'metadata.write', fault: 'error' }] },
  { name: 'metadata writes hang', rules: [{ on: 'metadata.write', fault: 'hang' }] },
  { name: 'answers of metadata writes are lost', rules: [{ on: 'metadata.write', fault: 'lost', chance: 0.5 }] },
  { name: 'metadata reads fail now and then', rules: [{ on: 'metadata.find', fault: 'error', chance: 0.3 }] },
  { name: 'the metadata store is slow', rules: [{ on: 'metadata.*', fault: 'delay', ms: 100 }] },
  { name: 'vector writes fail', rules: [{ on: 'vectors.upsert', fault: 'error' }] },
  { name: 'vector writes hang', rules: [{ on: 'vectors.upsert', fault: 'hang' }] },
  { name: 'vector writes are made by half', rules: [{ on: 'vectors.upsert', fault: 'partial', chance: 0.5 }] },
  { name: 'answers of vector writes are lost', rules: [{ on: 'vectors.upsert', fault: 'lost', chance: 0.5 }] },
  { name: 'vector searches fail', rules: [{ on: 'vectors.search', fault: 'error' }] },
  { name: 'vector searches hang', rules: [{ on: 'vectors.search', fault: 'hang' }] },
  { name: 'the embedder fails', rules: [{ on: 'embedder.embed', fault: 'error' }] },
  { name: 'the embedder answers too few vectors', rules: [{ on: 'embedder.embed', fault: 'partial' }] },
  { name: 'the embedding server fails', server: 'failing' },
  { name: 'the embedding server is silent', server: 'silent' },
];

const between = (random, least, most) => least + random() * (most - least);

/**
 * Switches faults on and off until the end. A fault is over when the service answers well again; how long that took is
 * noted. `state.phase` says what a request that begins now may expect: `fault`, `recovering` or `clear`.
 */
export async function runFaults({ server, model, state, random, end, scale, only }) {
  const wanted = kinds.filter(({ name }) => name.includes(only));
  if (wanted.length === 0) throw new Error(`--fault: no fault has "${only}" in its name`);
  const seen = [];
  let order = [];
  await delay(8_000 * scale);
  while (performance.now() < end - 12_000 * scale) {
    if (order.length === 0) order = wanted.toSorted(() => random() - 0.5);
    const kind = order.pop();
    state.phase = 'fault';
    state.fault = kind.name;
    if (kind.rules !== undefined) await server.order('set', kind.rules);
    else model.behave(kind.server);
    await delay(between(random, 4_000, 14_000) * scale);
    model.behave('well');
    await server.order('clear');
    state.phase = 'recovering';
    const off = performance.now();
    const recovered = await isWell(state, off + 60_000);
    seen.push({ fault: kind.name, recovery_ms: recovered ? Math.round(performance.now() - off) : undefined });
    state.phase = 'clear';
    await delay(between(random, 6_000, 12_000) * scale);
  }
  return seen;
}

/** Ready, with a search that has its vectors. */
async function isWell({ post, get }, until) {
  while (performance.now() < until) {
    const ready = await get('/ready').catch(() => undefined);
    const found =
      ready?.status === 200 ? await post('/memory/search', { query: 'well again' }).catch(() => {}) : undefined;
    if (found?.status === 200 && found.body.diagnostics === undefined) return true;
    await delay(250);
  }
  return false;
}
