// The official inspector's command line lists every tool and calls each, over HTTP and over stdio.
import { makeReady } from '../ready.mjs';
import { inspector, installTools, program, run, withProgram } from './mcp-tools.mjs';

makeReady();
const node = installTools();
const conversation = JSON.stringify({ messages: [{ role: 'user', text: 'The heron stands in the reeds.' }] });

let calls = 0;
await withProgram([program, 'serve', '--port', '0', '--json'], async (line, home) => {
  const url = `${JSON.parse(line).url}/mcp`;
  await inspect('http', [url, '--transport', 'http'], home);
  // Beside the running server, on the same data.
  await inspect('stdio', ['--cwd', home, process.execPath, program, 'mcp'], home);
});
console.log(`${calls} passed, 0 failed`);

async function inspect(name, target, home) {
  const ask = async (...args) => {
    const options = { cwd: home, env: { ...process.env, HOME: home } };
    const { code, stdout, stderr } = await run(
      node,
      [inspector, '--cli', '--connect-timeout', '60000', ...target, ...args],
      options,
    );
    if (stdout.trim() === '') throw new Error(`${name} ${args.join(' ')}: exit ${code}\n${stderr}`);
    calls += 1;
    return JSON.parse(stdout);
  };
  const call = async (tool, ...pairs) => {
    const args = pairs.flatMap((pair) => ['--tool-arg', pair]);
    return (await ask('--method', 'tools/call', '--tool-name', tool, ...args)).structuredContent;
  };

  // --strict fails on a schema that a client could not use.
  const { tools } = await ask('--method', 'tools/list', '--strict');
  const stored = expectStatus('ok', await call('memory_insert', `conversation_json=${conversation}`));
  const plans = {
    memory_validate: [`conversation_json=${conversation}`],
    memory_search: ['query=heron', 'top_k=3'],
    memory_retrieve: [`id=${stored.id}`],
    memory_context: [`id=${stored.id}`, 'message_index=0'],
    memory_ask: ['question=Where does the heron stand?'],
    memory_fact_search: ['subject=user'],
    memory_profile_get: [],
    memory_project_list: [],
    memory_project_default_get: [],
    search: ['query=heron'],
    fetch: [`id=${stored.id}`],
  };
  for (const { name: tool } of tools) {
    if (tool === 'memory_insert') continue;
    // Whatever has no plan is called without arguments: it answers, or says what is missing, in the envelope.
    const answer = await call(tool, ...(plans[tool] ?? []));
    if (tool in plans) expectStatus('ok', answer);
    for (const key of ['status', 'id', 'results', 'cursor', 'error_code', 'error_message']) {
      if (!(key in answer)) throw new Error(`${name} ${tool}: the answer has no ${key}`);
    }
  }
  console.log(`${name}: ${tools.length} tools listed and called`);
}

function expectStatus(status, answer) {
  if (answer?.status !== status) throw new Error(`expected ${status}, got ${JSON.stringify(answer)}`);
  return answer;
}
