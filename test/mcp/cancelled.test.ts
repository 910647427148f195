import { describe, expect, it } from 'vitest';
import type { MetricsSnapshot } from '../../src/observability/metrics.js';
import { turns } from '../support/conversation.js';
import { both, opening, post } from '../support/mcp.js';
import { soon } from '../support/patience.js';
import { aServer } from '../support/server.js';

/*
 * A call that nobody waits for any more: the client cancelled it, or closed the connection it was to be answered on. It is
 * carried no further, and nothing is stored.
 */

type Server = Awaited<ReturnType<typeof aServer>>;

const texts = Array.from({ length: 4_000 }, (_, index) => `I like thing${index}. I live in City${index}. `.repeat(4));
const conversation = { source: 'chatgpt', messages: turns(...texts) };

async function stagesOf(server: Server): Promise<(string | undefined)[]> {
  const body = (await (await fetch(`${server.url}/observability`)).json()) as { metrics: MetricsSnapshot };
  return body.metrics.histograms.flatMap(({ name, labels }) =>
    name === 'memory_ingestion_stage_duration_ms' ? [labels.stage] : [],
  );
}

async function outcomeOf(server: Server): Promise<string | undefined> {
  const body = (await (await fetch(`${server.url}/observability`)).json()) as { metrics: MetricsSnapshot };
  return body.metrics.counters.find(({ name }) => name === 'memory_mcp_tool_calls_total')?.labels.error_code;
}

async function aCallUnderWay(tool: string, given: object) {
  const server = await aServer();
  const reachable = { app: { request: (path: string, init?: RequestInit) => fetch(`${server.url}${path}`, init) } };
  const opened = await post(reachable, { jsonrpc: '2.0', id: 0, method: 'initialize', params: opening });
  const headers = { ...both, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  const client = new AbortController();
  const params = { name: tool, arguments: given };
  const called = fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    signal: client.signal,
  });
  const answered = called.then((response) => response.text()).catch(() => 'gone');
  await expect.poll(() => stagesOf(server), soon).toContain('normalise');
  return { server, reachable, headers, client, answered };
}

describe.each(['memory_insert', 'memory_validate'])('a call of %s', (tool) => {
  it('that is cancelled is prepared no further', async () => {
    const { server, reachable, headers, client, answered } = await aCallUnderWay(tool, {
      conversation_json: conversation,
    });
    await post(reachable, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }, headers);
    await expect.poll(() => outcomeOf(server), soon).toBe('invalid_input');
    expect(await stagesOf(server)).not.toContain('enrich');
    client.abort();
    await answered;
  });

  it('whose connection is closed is prepared no further', async () => {
    const { server, client, answered } = await aCallUnderWay(tool, { conversation_json: conversation });
    client.abort();
    expect(await answered).toBe('gone');
    await expect.poll(() => outcomeOf(server), soon).toBe('invalid_input');
    expect(await stagesOf(server)).not.toContain('enrich');
  });
});
