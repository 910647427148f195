import { describe, expect, it } from 'vitest';
import { type ChatOptions, createLanguageModel } from '../../src/language-model/chat.js';
import { ModelFailure } from '../../src/language-model/contract.js';
import { StartupError } from '../../src/model/errors.js';
import { createBreaker } from '../../src/resilience/breaker.js';
import {
  aChatServer,
  type ChatServer,
  chatKey,
  failsMidway,
  hangs,
  json,
  malformed,
  type Reply,
  refuses,
  says,
  saysAndHangs,
  status,
} from '../fakes/chat-server.js';
import { soon } from '../support/patience.js';

const messages = [
  { role: 'system' as const, content: 'Answer.' },
  { role: 'user' as const, content: 'Where do I live?' },
];

function aModel({ baseUrl }: Pick<ChatServer, 'baseUrl'>, options: Partial<ChatOptions> = {}) {
  return createLanguageModel({
    key: 'ask.model',
    baseUrl,
    apiKey: chatKey,
    model: 'stand-in',
    timeoutMs: 60_000,
    maxTokens: 300,
    ...options,
  });
}

async function streamed(model: ReturnType<typeof aModel>, signal?: AbortSignal) {
  const texts: string[] = [];
  const ending = await model.stream(messages, {
    signal,
    onText: async (text) => {
      texts.push(text);
    },
  });
  return { text: texts.join(''), ending };
}

describe('a language model behind a chat endpoint', () => {
  it('is asked with model, messages, limit and key, and hands the answer over in its pieces', async () => {
    const server = await aChatServer(says(['You live ', 'in Leeds [1].']));
    const texts: string[] = [];
    const ending = await aModel(server).stream(messages, {
      onText: async (text) => {
        texts.push(text);
      },
    });
    expect({ texts, ending }).toEqual({ texts: ['You live ', 'in Leeds [1].'], ending: 'stop' });
    expect(server.violations).toEqual([]);
    expect(server.requests).toEqual([{ model: 'stand-in', temperature: 0, max_tokens: 300, messages, stream: true }]);
  });

  it('takes a whole answer from a server that does not stream', async () => {
    const whole = json(200, { choices: [{ message: { content: 'You live in Leeds [1].' }, finish_reason: 'stop' }] });
    expect(await streamed(aModel(await aChatServer(whole)))).toEqual({
      text: 'You live in Leeds [1].',
      ending: 'stop',
    });
  });

  it('says when the answer was cut at the limit', async () => {
    const server = await aChatServer(says('You live in', { finish: 'length' }));
    expect(await streamed(aModel(server))).toEqual({ text: 'You live in', ending: 'length' });
  });

  it.each<[string, Reply, ModelFailure['reason']]>([
    ['an error of the server', status(500), 'failed'],
    ['a refused key', status(401), 'failed'],
    ['an error in the middle', failsMidway, 'failed'],
    ['an event that is no JSON', malformed, 'malformed'],
    ['an answer of another shape', json(200, { answer: 'Leeds' }), 'malformed'],
    ['a stream that breaks off', says('You live in Leeds [1].', { truncated: true }), 'malformed'],
    ['a stream without an ending', says('You live in Leeds [1].', { finish: null }), 'malformed'],
    ['a refusal', refuses, 'refused'],
    ['a filter', says('', { finish: 'content_filter' }), 'refused'],
    ['a redirect', (response) => response.writeHead(307, { location: 'http://127.0.0.1:1/v1' }).end(), 'failed'],
  ])('fails on %s, without repeating a word of it', async (_, reply, reason) => {
    const failure = await streamed(aModel(await aChatServer(reply))).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ModelFailure);
    expect(failure).toMatchObject({ reason, message: `The language model gave no usable answer (${reason})` });
    expect(failure).not.toHaveProperty('cause');
  });

  it('gives up after its time and hangs up', async () => {
    const server = await aChatServer(saysAndHangs('You live '));
    await expect(streamed(aModel(server, { timeoutMs: 30 }))).rejects.toMatchObject({ reason: 'timeout' });
    // On a busy machine the time may be over before the request has left; the next case waits until one has arrived.
    await expect.poll(() => server.abandoned >= server.requests.length, soon).toBe(true);
  });

  it('gives up and hangs up when its caller does, and when it is closed', async () => {
    const server = await aChatServer(hangs);
    const caller = new AbortController();
    const asked = expect(streamed(aModel(server), caller.signal)).rejects.toMatchObject({ reason: 'cancelled' });
    await expect.poll(() => server.requests.length, soon).toBe(1);
    caller.abort();
    await asked;
    const model = aModel(server);
    const closed = expect(streamed(model)).rejects.toMatchObject({ reason: 'cancelled' });
    await expect.poll(() => server.requests.length, soon).toBe(2);
    await model.close();
    await closed;
    await expect.poll(() => server.abandoned, soon).toBe(2);
    await expect(streamed(model)).rejects.toMatchObject({ reason: 'cancelled' });
  });

  it('leaves a server alone that keeps failing, and one that refuses not', async () => {
    const server = await aChatServer(status(400), status(400), status(503), status(503), says('Leeds'));
    const model = aModel(server, { breaker: createBreaker({ failures: 2, pauseMs: 60_000 }) });
    for (const reason of ['failed', 'failed', 'failed', 'failed', 'left_alone']) {
      await expect(streamed(model)).rejects.toMatchObject({ reason });
    }
    expect(server.requests).toHaveLength(4);
  });

  it('is unreachable where nothing listens', async () => {
    await expect(streamed(aModel({ baseUrl: 'http://127.0.0.1:1/v1' }))).rejects.toMatchObject({
      reason: 'unreachable',
    });
  });

  it('is asked for JSON of a schema, and without it where the server refuses that', async () => {
    const server = await aChatServer(says('{}'), status(400), says('{}'));
    const model = aModel(server);
    const schema = { type: 'object' };
    for (let turn = 0; turn < 3; turn++) expect(await model.complete(messages, { name: 'facts', schema })).toBe('{}');
    const format = { type: 'json_schema', json_schema: { name: 'facts', strict: true, schema: {} } };
    expect(server.requests.map(({ response_format }) => response_format)).toEqual([
      format,
      format,
      undefined,
      undefined,
    ]);
    expect(server.requests.every(({ stream }) => !stream)).toBe(true);
    expect(server.violations).toEqual([]);
  });

  it('shows its host and never its key', () => {
    const model = aModel({ baseUrl: 'http://localhost:11434/v1/?token=secret' });
    expect(model.describe()).toEqual({ model: 'stand-in', host: 'localhost:11434' });
  });

  it.each([
    [{ baseUrl: 'localhost:11434' }, 'ask.model.base_url must be an http or https address.'],
    [{ baseUrl: 'http://me:secret@localhost/v1' }, 'ask.model.base_url must not contain a user name or password.'],
    [{ apiKey: 'two words' }, 'ask.model.api_key contains characters that are not allowed in a header.'],
  ])('does not begin with %j', (options, message) => {
    const create = () => aModel({ baseUrl: 'http://localhost/v1' }, options);
    expect(create).toThrow(StartupError);
    expect(create).toThrow(message);
  });
});
