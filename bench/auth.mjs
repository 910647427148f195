// What proving who one is costs a search: two servers on the same data, one open and one with tokens, asked in turns.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { startService } from '../eval/service.mjs';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const project = 'local-default';

/** Median milliseconds of a search without and with a token, and their ratio; both with the same `settings`. */
export async function authCost(folder, queries, settings) {
  const token = handOver(folder);
  const open = await startService(folder, settings);
  const guarded = await startService(folder, [...settings, ['api.auth', 'bearer_token']], { token });
  try {
    const took = { open: [], guarded: [] };
    const ask = async (service, query, list) => {
      const from = performance.now();
      await service.search({ query, top_k: 10, project_id: project });
      list.push(performance.now() - from);
    };
    for (const [index, query] of queries.entries()) {
      const turn = [() => ask(open, query, took.open), () => ask(guarded, query, took.guarded)];
      // Whoever asks second finds warm caches, so they take turns in that too.
      for (const run of index % 2 === 0 ? turn : turn.reverse()) await run();
    }
    const median = (list) =>
      list.slice(queries.length / 5).sort((one, other) => one - other)[Math.floor((list.length * 2) / 5)];
    const result = { open: median(took.open), guarded: median(took.guarded) };
    return { ...result, ratio: result.guarded / result.open };
  } finally {
    await Promise.all([open.stop(), guarded.stop()]);
  }
}

/** A user who owns what was saved without authentication, and a token. */
function handOver(folder) {
  const admin = (...args) =>
    JSON.parse(execFileSync(process.execPath, [main, 'admin', ...args, '--json', '--data', 'data'], { cwd: folder }));
  admin('user', 'create', 'bench');
  admin('project', 'create', project, '--owner', 'bench');
  return admin('token', 'create', '--user', 'bench').token;
}
