import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from '../ready.mjs';

const atOnce = 4;
const mostSearched = 500;

/** After the last fault: everything acknowledged is there, whole, found and once. */
export async function verify({ state: { get, post: postOnce }, ledger, random, before }) {
  const state = { get, post: insisting(postOnce) };
  const problems = [];
  const drained = await until(async () => (await state.get('/ready')).body.health?.pending_chunks === 0, 240_000);
  if (!drained) problems.push('the backlog of the indexer was not worked off');
  // What got no answer may be stored or not: sent again, it is stored once.
  await each(ledger.threads, async (thread) => {
    const { status, body } = await state.post('/memory/insert', ledger.capture(thread, thread.sent));
    if (status !== 200) problems.push(`${thread.word}: sent again, the answer is ${status}`);
    else if (thread.id !== undefined && body.id !== thread.id) problems.push(`${thread.word}: there twice`);
    else if (thread.acknowledged === thread.sent && body.deduplicated !== true)
      problems.push(`${thread.word}: was lost`);
    thread.id = body.id;
  });
  await each(ledger.threads, async (thread) => {
    const { status, body } = await state.post('/memory/retrieve', { id: thread.id });
    const texts = body.memory?.messages.map(({ text }) => text).join('\n');
    const wanted = ledger.capture(thread, thread.sent).messages.map(({ text }) => text);
    if (status !== 200 || texts !== wanted.join('\n')) problems.push(`${thread.word}: not whole (${status})`);
  });
  await until(async () => (await state.get('/ready')).body.health?.pending_chunks === 0, 240_000);
  const searched = ledger.threads.toSorted(() => random() - 0.5).slice(0, mostSearched);
  await each(searched, async (thread) => {
    const { body } = await state.post('/memory/search', {
      query: `pier ${thread.word}t0`,
      top_k: 5,
      include_messages: false,
    });
    const hits = body.results?.filter(({ text }) => text.includes(`${thread.word}t0.`)) ?? [];
    const ids = hits.map(({ id, chunk_index }) => `${id}#${chunk_index}`).join();
    if (ids !== `${thread.id}#0`) problems.push(`${thread.word}: a search finds it ${hits.length} times`);
  });
  const { body: listed } = await state.post('/memory/conversations/list', { limit: 1 });
  const kept = ledger.threads.length + before;
  if (listed.total !== kept) problems.push(`${listed.total} conversations of ${kept}`);
  return { problems, conversations: listed.total, searched: searched.length };
}

/** With the server stopped: metadata and vectors compared point by point. */
export function compareStores(folder) {
  const main = join(root, 'dist', 'main.js');
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [main, 'storage-check', '--repair', '--json', '--data', 'data'],
    {
      cwd: folder,
      encoding: 'utf8',
      env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('THREADKEEP_'))),
    },
  );
  try {
    const { repair, counts } = JSON.parse(stdout);
    return { ...repair, points: counts.points, vector_rows: counts.vector_rows };
  } catch {
    return { failed: stderr.slice(-500) };
  }
}

/** As a client does who is told to come back later: a busy machine is no loss. */
function insisting(post) {
  return async (path, body) => {
    for (let attempt = 1; ; attempt++) {
      const answer = await post(path, body);
      if (![429, 503].includes(answer.status) || attempt === 10) return answer;
      await delay(1_000 * attempt);
    }
  };
}

async function each(things, work) {
  const rest = [...things];
  const worker = async () => {
    for (let thing = rest.pop(); thing !== undefined; thing = rest.pop()) await work(thing);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

async function until(isSo, milliseconds) {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    if (await isSo().catch(() => false)) return true;
    await delay(500);
  }
  return false;
}
