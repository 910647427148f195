import { describe, expect, it } from 'vitest';
import { aChatServer, hangs, says } from '../fakes/chat-server.js';
import { both, opening, post, stateless } from '../support/mcp.js';
import { soon } from '../support/patience.js';
import { aService, type TestService } from '../support/service.js';

const question = 'Where is my next check-up?';

async function aMemory(reply: Parameters<typeof aChatServer>[0]) {
  const model = await aChatServer(reply);
  const service = await aService({ ask: { model: model.settings } });
  await service.insert({
    timestamp: '2025-03-04',
    messages: [{ role: 'user', text: 'The dentist said my next check-up is in Leeds at the clinic on Park Row.' }],
  });
  return { model, service };
}

async function sessionOf(service: TestService): Promise<Record<string, string>> {
  const opened = await post(service, { jsonrpc: '2.0', id: 0, method: 'initialize', params: opening });
  return { ...both, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
}

function askWith(meta: object) {
  const params = { name: 'memory_ask', arguments: { question }, _meta: meta };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
}

async function messagesOf(response: Response): Promise<{ method?: string; params?: object; result?: object }[]> {
  return (await response.text())
    .split('\n')
    .flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice('data: '.length))] : []));
}

const reply = 'Your next check-up is in Leeds [1].\nIt costs 80 euros [1].\nIt is at the clinic on Park Row [1].';
const told = ['Your next check-up is in Leeds [1].', 'It is at the clinic on Park Row [1].'].map((message, at) => ({
  method: 'notifications/progress',
  params: { progressToken: 'mine', progress: at + 1, message },
}));

describe('memory_ask with a progress token', () => {
  it('tells each sentence before the answer, in a session', async () => {
    const { service } = await aMemory(says(reply));
    const headers = await sessionOf(service);
    const init = { method: 'POST', headers, body: askWith({ progressToken: 'mine' }) };
    const messages = await messagesOf(await service.app.request('/mcp', init));
    expect(messages.slice(0, -1)).toMatchObject(told);
    expect(messages).toHaveLength(3);
    expect(messages.at(-1)?.result).toMatchObject({ structuredContent: { composition: { by: 'model' } } });
  });

  it('tells each sentence before the answer, without a session', async () => {
    const { service } = await aMemory(says(reply));
    const headers = {
      ...both,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'memory_ask',
    };
    const init = { method: 'POST', headers, body: askWith({ ...stateless, progressToken: 'mine' }) };
    const messages = await messagesOf(await service.app.request('/mcp', init));
    expect(messages.slice(0, -1)).toMatchObject(told);
    expect(messages).toHaveLength(3);
  });

  it('tells nothing without one', async () => {
    const { service } = await aMemory(says(reply));
    const headers = await sessionOf(service);
    const messages = await messagesOf(
      await service.app.request('/mcp', { method: 'POST', headers, body: askWith({}) }),
    );
    expect(messages).toHaveLength(1);
  });

  it('gives the model up when the client cancels the call', async () => {
    const { model, service } = await aMemory(hangs);
    const headers = await sessionOf(service);
    const asked = service.app.request('/mcp', { method: 'POST', headers, body: askWith({ progressToken: 'mine' }) });
    await expect.poll(() => model.requests.length, soon).toBe(1);
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    await post(service, cancelled, headers);
    await expect.poll(() => model.abandoned, soon).toBe(1);
    // A cancelled call gets no answer, so its stream stays open until the client closes it.
    await (await asked).body?.cancel();
  });
});
