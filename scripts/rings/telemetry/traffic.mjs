// The real server, well or in trouble, and a little of everything that it measures.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program } from '../mcp-tools.mjs';

/** In trouble: its vector store and its embedding service are not there. */
const trouble = {
  providers: { vector_db: 'qdrant', embeddings: 'http', embedding_model: 'none', embedding_dimension: 8 },
  storage: { vector_providers: { qdrant: { url: 'http://127.0.0.1:9' } } },
  embedding_endpoint: { base_url: 'http://127.0.0.1:9/v1' },
  embeddings: { max_retries: 0 },
};

export async function startServer({ protocol, endpoint, troubled }) {
  const home = mkdtempSync(join(tmpdir(), 'threadkeep-telemetry-'));
  const telemetry = endpoint === undefined ? { enabled: false } : { enabled: true, endpoint, protocol };
  const config = {
    ...(troubled ? trouble : {}),
    observability: { log_level: 'error', tracing: telemetry, metrics: telemetry },
  };
  // JSON is YAML.
  writeFileSync(join(home, 'config.yaml'), JSON.stringify(config));
  const args = [program, 'serve', '--data', 'data', '--port', '0', '--json'];
  const child = spawn(process.execPath, args, { cwd: home, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  const first = await Promise.race([once(child.stdout, 'data'), ended.then(() => [''])]);
  if (String(first[0]) === '') throw new Error('the server did not start');
  return {
    url: JSON.parse(String(first[0]).split('\n')[0]).url,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

const json = { 'content-type': 'application/json' };

export async function beBusy(url) {
  const post = (path, body, headers = {}) =>
    fetch(url + path, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) });
  const messages = [{ role: 'user', text: 'The heron lives by the river.' }];
  await post('/memory/insert', { source: 'ring', messages });
  await post('/memory/insert', { source: 'ring', messages });
  await post('/memory/insert', { messages: [] });
  await post('/memory/search', { query: 'heron' });
  await post('/memory/ask', { question: 'Where does the heron live?' });
  await fetch(`${url}/nowhere`);
  const call = (name, given) => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'ring', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2026-07-28' };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given, _meta } };
    return post('/mcp', message, { ...headers, 'mcp-method': 'tools/call', 'mcp-name': name });
  };
  await (await call('memory_search', { query: 'heron' })).text();
  await (await call('memory_retrieve', { id: 'nothing' })).text();
}
