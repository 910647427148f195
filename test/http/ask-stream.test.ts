import { describe, expect, it } from 'vitest';
import type { ConfigInput } from '../../src/config/schema.js';
import { aChatServer, type ChatServer, hangs, says, saysAndHangs } from '../fakes/chat-server.js';
import { soon } from '../support/patience.js';
import { aServer } from '../support/server.js';
import { aService, type TestService } from '../support/service.js';

const conversation = {
  timestamp: '2025-03-04',
  messages: [{ role: 'user', text: 'The dentist said my next check-up is in Leeds at the clinic on Park Row.' }],
};
const question = 'Where is my next check-up?';
const streaming = { 'content-type': 'application/json', accept: 'text/event-stream' };
const asking = { method: 'POST', headers: streaming, body: JSON.stringify({ question }) };

async function aMemory(settings: ConfigInput = {}): Promise<TestService> {
  const service = await aService(settings);
  await service.insert(conversation);
  return service;
}

function eventsIn(text: string): { event: string; data: Record<string, unknown> }[] {
  return text
    .split('\n\n')
    .filter((part) => part !== '')
    .map((part) => {
      const [event = '', data = ''] = part.split('\n');
      return { event: event.replace('event: ', ''), data: JSON.parse(data.replace('data: ', '')) };
    });
}

describe('an answer as server-sent events', () => {
  it('has each sentence that passed, and then the whole answer', async () => {
    const reply = 'Your next check-up is in Leeds [1].\nIt costs 80 euros [1].\nIt is at the clinic on Park Row [1].';
    const server = await aChatServer(says(reply));
    const service = await aMemory({ ask: { model: server.settings } });
    const response = await service.app.request('/memory/ask', asking);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const events = eventsIn(await response.text());
    expect(events.map(({ event, data }) => [event, data.text])).toEqual([
      ['sentence', 'Your next check-up is in Leeds [1].'],
      ['sentence', 'It is at the clinic on Park Row [1].'],
      ['answer', undefined],
    ]);
    const { body } = await service.request('/memory/ask', { question });
    expect(events.at(-1)?.data).toEqual(body);
  });

  it('is one event where no language model is configured', async () => {
    const service = await aMemory();
    const events = eventsIn(await (await service.app.request('/memory/ask', asking)).text());
    const { body } = await service.request('/memory/ask', { question });
    expect(events).toEqual([{ event: 'answer', data: body }]);
  });

  it('ends with the answer without the model where that breaks off after a sentence', async () => {
    const server = await aChatServer(says('Your next check-up is in Leeds [1].\nIt', { truncated: true }));
    const service = await aMemory({ ask: { model: server.settings } });
    const events = eventsIn(await (await service.app.request('/memory/ask', asking)).text());
    expect(events.map(({ event }) => event)).toEqual(['sentence', 'answer']);
    expect(events[1]?.data.composition).toMatchObject({ by: 'extraction', reason: 'malformed' });
  });

  it('refuses bad input with the status and body it always has', async () => {
    const service = await aMemory();
    const answer = await service.send('/memory/ask', { ...asking, body: JSON.stringify({ query: question }) });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ status: 'error', error_code: 'invalid_input' });
  });

  it.each<[string, Parameters<ChatServer['answers']>[0], number]>([
    ['after a sentence', saysAndHangs('Your next check-up is in Leeds [1].\n'), 1],
    ['before the first', hangs, 0],
  ])('gives the model up when its client leaves %s', async (_, reply, sentences) => {
    const model = await aChatServer(reply);
    const server = await aServer({ ask: { model: model.settings } });
    await server.post('/memory/insert', conversation);
    const client = new AbortController();
    const fetching = fetch(`${server.url}/memory/ask`, { ...asking, signal: client.signal });
    const ended = Promise.allSettled([fetching]);
    if (sentences > 0) {
      const { value } = (await (await fetching).body?.getReader().read()) ?? {};
      expect(new TextDecoder().decode(value)).toContain(
        'event: sentence\ndata: {"text":"Your next check-up is in Leeds',
      );
    }
    await expect.poll(() => model.requests.length, soon).toBe(1);
    client.abort();
    await expect.poll(() => model.abandoned, soon).toBe(1);
    await ended;
  });

  it('tells where it is sent in /observability, without the key', async () => {
    const model = await aChatServer(hangs);
    const server = await aServer({ ask: { model: model.settings } });
    const shown = await (await fetch(`${server.url}/observability`)).text();
    const { host } = new URL(model.baseUrl);
    expect(JSON.parse(shown).runtime.language_models.ask).toMatchObject({ configured: true, model: 'stand-in', host });
    expect(shown).not.toContain(model.settings.api_key);
    expect(model.requests).toEqual([]);
  });
});
