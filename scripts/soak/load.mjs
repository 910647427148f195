import { setTimeout as delay } from 'node:timers/promises';

const mix = [
  ['insert', 0.15],
  ['append', 0.1],
  ['search', 0.45],
  ['ask', 0.15],
  ['retrieve', 0.15],
];
const longestThread = 6;
/** Nothing may take longer, whatever is broken: a hang is a fault of ours. */
const patience = 60_000;
const thinking = 1_000;
/** Told to come back later, a client does; for how long at most. */
const longestWait = 5;

/** Asks like a client: what came, how long it took, or that nothing came. */
export function clientOf(url) {
  const ask = async (path, init) => {
    const response = await fetch(url + path, { ...init, signal: AbortSignal.timeout(patience) });
    return { status: response.status, retryAfter: response.headers.get('retry-after'), body: await response.json() };
  };
  return {
    get: (path) => ask(path),
    post: (path, body) =>
      ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  };
}

/** What all clients together have asked to be kept: by its word, what was sent and what was acknowledged. */
export function createLedger() {
  const threads = [];
  return {
    threads,
    /** A thread of turns, each with a word that nothing else has. */
    begin(client, number) {
      const word = `w${client}x${number}q`;
      const thread = { word, sent: 2, acknowledged: 0, uncertain: false, id: undefined };
      threads.push(thread);
      return thread;
    },
    capture({ word }, length) {
      const messages = Array.from({ length }, (_, turn) => ({
        role: turn % 2 === 0 ? 'user' : 'assistant',
        text: `Turn ${turn} of ${word}: the ferry number ${turn * 7} leaves from pier ${word}t${turn}.`,
      }));
      return { source: 'soak', title: `About ${word}`, messages, metadata: { upstream_thread_id: word } };
    },
  };
}

/** Conversations that are there before it begins, so that what grows with the first few is grown. */
export async function fill({ state, ledger, conversations }) {
  const lines = Array.from({ length: conversations }, (_, number) => ({
    type: 'conversation',
    conversation: { ...ledger.capture({ word: `before${number}q` }, 2), timestamp: '2026-01-01T00:00:00Z' },
  }));
  const body = [{ type: 'threadkeep-export', version: 1 }, ...lines].map((line) => JSON.stringify(line)).join('\n');
  const headers = { 'content-type': 'application/x-ndjson' };
  const signal = AbortSignal.timeout(600_000);
  const path = '/memory/import?format=threadkeep';
  const response = await fetch(state.url + path, { method: 'POST', headers, body, signal });
  const { imported } = await response.json();
  if (imported !== conversations) throw new Error(`${imported} of ${conversations} conversations were stored`);
}

/** One client until the end, one request after the other. Every request is noted with the phase it began in. */
export async function runClient({ client, state, ledger, random, end, note }) {
  const own = [];
  const pick = () => own[Math.floor(random() * own.length)];
  const request = async (operation, path, body) => {
    const { phase, fault } = state;
    const started = performance.now();
    const answer = await state.post(path, body).catch((error) => ({ status: error.name, body: {} }));
    // One that began in a good moment and met a fault on its way belongs to the fault.
    const during = phase === 'clear' && state.phase !== 'clear' ? 'fault' : phase;
    note({ operation, phase: during, fault, ms: performance.now() - started, answer });
    if (answer.retryAfter) await delay(Math.min(longestWait, Number(answer.retryAfter) || 1) * 1_000);
    return answer;
  };
  const keep = async (operation, thread, length) => {
    thread.sent = length;
    thread.uncertain = true;
    const { status, body } = await request(operation, '/memory/insert', ledger.capture(thread, length));
    if (status !== 200) return;
    thread.uncertain = false;
    thread.acknowledged = length;
    thread.id = body.id;
  };
  const operations = {
    async insert() {
      const thread = ledger.begin(client, own.length);
      own.push(thread);
      await keep('insert', thread, 2);
    },
    async append(thread = pick()) {
      const grown = Math.min(thread.sent + (thread.uncertain ? 0 : 2), longestThread);
      await keep('append', thread, grown);
    },
    search: async (thread = pick()) => {
      const { status, body } = await request('search', '/memory/search', { query: `pier ${thread.word}t0`, top_k: 3 });
      if (status === 200 && thread.acknowledged > 0 && !body.results.some(({ id }) => id === thread.id))
        state.missed += 1;
    },
    ask: (thread = pick()) =>
      request('ask', '/memory/ask', { question: `Which ferry leaves from pier ${thread.word}t0?` }),
    async retrieve(thread = pick()) {
      if (thread.id === undefined) return;
      const { status, body } = await request('retrieve', '/memory/retrieve', { id: thread.id });
      if (status === 200 && body.memory.messages.length < thread.acknowledged) state.missed += 1;
    },
  };
  while (performance.now() < end) {
    const name = own.length === 0 ? 'insert' : chosen(random());
    await operations[name]();
    await delay(random() * thinking * 2);
  }
}

function chosen(number) {
  let left = number;
  for (const [name, share] of mix) {
    left -= share;
    if (left < 0) return name;
  }
  return 'search';
}
