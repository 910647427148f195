// One peer in a process of its own, so that its memory can be told: what belongs to it is in here or below.
import { fork } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { memoryOf } from '../service.mjs';
import { measure } from '../timing.mjs';
import { peerNamed } from './peers.mjs';

const self = fileURLToPath(import.meta.url);
const dimension = 256;

/** Opens what the folder holds. `filling` says that it is about to be written to. */
export async function startHost({ name, folder, cache, filling }) {
  const child = fork(self, [JSON.stringify({ name, folder, cache, filling })]);
  const next = () =>
    new Promise((resolve, reject) => {
      const ended = (code) => reject(new Error(`the process of ${name} ended with ${code}`));
      child.once('exit', ended);
      child.once('message', ({ value, error }) => {
        child.off('exit', ended);
        if (error === undefined) resolve(value);
        else reject(new Error(error));
      });
    });
  const ask = (request) => {
    const answer = next();
    child.send(request);
    return answer;
  };
  const stop = () =>
    new Promise((stopped) => {
      if (child.exitCode !== null || child.signalCode !== null) return stopped();
      child.once('exit', stopped);
      child.disconnect();
    });
  try {
    const pids = await next();
    return {
      /** One conversation after the other; answers what `measure` does. */
      insert: (conversations) => ask({ what: 'insert', given: conversations }),
      /** One query after the other; answers what `measure` does, and the hits of each. */
      search: (queries) => ask({ what: 'search', given: queries }),
      settle: () => ask({ what: 'settle' }),
      resident: () => withDescendants(pids).reduce((sum, pid) => sum + memoryOf(pid).rss, 0),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** These processes and all below them (Linux; elsewhere these alone, of unknown size). */
function withDescendants(pids) {
  try {
    const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    const found = new Set(pids);
    const parents = all.map((pid) => [Number(pid), parentOf(pid)]);
    for (let before = 0; before < found.size; ) {
      before = found.size;
      for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid);
    }
    return [...found];
  } catch {
    return pids;
  }
}

function parentOf(pid) {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
}

async function openStore({ name, ...options }) {
  const peer = await peerNamed(name);
  if (!peer.givenVectors) return peer.open(options);
  const { openLocalEmbedder } = await import('../../dist/embeddings/local.js');
  const { embed } = await openLocalEmbedder({ model: 'threadkeep-static-256', dimension });
  return peer.open({ ...options, embedder: { embed, dimension } });
}

if (process.argv[1] === self) {
  const tell = async (work) => {
    try {
      process.send({ value: (await work()) ?? null });
    } catch (error) {
      process.send({ error: error.message });
    }
  };
  let store;
  const handlers = {
    async insert(conversations) {
      let at = 0;
      return measure(conversations.length, 1, () => store.insert(conversations[at++]));
    },
    async search(queries) {
      const hits = [];
      const took = await measure(queries.length, 1, async () => hits.push(await store.search(queries[hits.length])));
      return { ...took, hits };
    },
    settle: () => store.settle?.(),
  };
  await tell(async () => {
    store = await openStore(JSON.parse(process.argv[2]));
    return store.pids ?? [process.pid];
  });
  process.on('message', ({ what, given }) => tell(() => handlers[what](given)));
  process.once('disconnect', async () => {
    await store?.close();
    process.exit();
  });
}
