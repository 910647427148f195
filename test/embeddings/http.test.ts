import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHttpEmbedder, type HttpEmbedderOptions } from '../../src/embeddings/http.js';
import { hashEmbedding } from '../../src/embeddings/local.js';
import { MemoryError, StartupError } from '../../src/model/errors.js';
import { describeEmbedder } from '../conformance/embedder.js';
import { type EmbeddingServer, startEmbeddingServer, status, well } from './embedding-server.js';

const dimension = 32;
const apiKey = 'sk-very-secret-key';

const conformanceServer = startEmbeddingServer({ dimension });
afterAll(async () => (await conformanceServer).close());
describeEmbedder('http in batches of 2', async () => {
  const { baseUrl } = await conformanceServer;
  const limits = { batchSize: 2, concurrency: 3, timeoutMs: 10_000, maxRetries: 0 };
  return createHttpEmbedder({ baseUrl, model: 'hash', dimension, ...limits });
});

let server: EmbeddingServer;
beforeEach(async () => {
  server = await startEmbeddingServer({ dimension });
});
afterEach(() => server.close());

function anEmbedder(options: Partial<HttpEmbedderOptions> = {}) {
  const limits = { batchSize: 16, concurrency: 2, timeoutMs: 10_000, maxRetries: 3 };
  return createHttpEmbedder({
    baseUrl: server.baseUrl,
    model: 'hash',
    dimension,
    wait: async () => {},
    ...limits,
    ...options,
  });
}

describe('createHttpEmbedder', () => {
  it('describes the endpoint without query and is trusted fully', () => {
    const embedder = anEmbedder({ baseUrl: `${server.baseUrl}/?api-version=1&code=secret`, apiKey });
    expect(embedder.describe()).toEqual({
      provider: 'http',
      model: 'hash',
      dimension,
      options: {},
    });
    expect(embedder.trust).toBe(1);
  });

  it('posts model, texts, format and dimension with the key as a bearer token', async () => {
    await anEmbedder({ apiKey }).embed(['one', 'two']);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({
      path: '/v1/embeddings',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    });
    expect(server.requests[0]?.body).toEqual({
      model: 'hash',
      input: ['one', 'two'],
      encoding_format: 'float',
      dimensions: dimension,
    });
  });

  it.each([undefined, ''])('sends no authorization when the key is %j', async (noKey) => {
    await anEmbedder(noKey === undefined ? {} : { apiKey: noKey }).embed(['one']);
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('keeps the query of the base address in what it asks', async () => {
    await anEmbedder({ baseUrl: `${server.baseUrl}/?api-version=1` }).embed(['one']);
    expect(server.requests[0]?.path).toBe('/v1/embeddings?api-version=1');
  });

  it('sends nothing for no texts', async () => {
    expect(await anEmbedder().embed([])).toEqual([]);
    expect(server.requests).toEqual([]);
  });

  it('replaces what servers stumble over: empty texts and halves of surrogate pairs', async () => {
    await anEmbedder().embed(['', 'a\ud83db', '😀']);
    expect(server.requests[0]?.body.input).toEqual([' ', 'a\ufffdb', '😀']);
  });

  it('sends batches of the configured size and puts the vectors in the order of the texts', async () => {
    const texts = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const vectors = await anEmbedder({ batchSize: 3 }).embed(texts);
    expect(vectors).toEqual(texts.map((text) => hashEmbedding(text, dimension)));
    const batches = server.requests.map(({ body }) => body.input.join(''));
    expect(batches.sort()).toEqual(['abc', 'def', 'g']);
  });

  it('keeps the number of open requests bounded over all calls together', async () => {
    const held: (() => void)[] = [];
    server.always((response, request) => {
      held.push(() => well(dimension)(response, request));
      // The bound is reached before anything is answered; from then on each arrival lets the oldest go.
      if (held.length >= 3) held.shift()?.();
      if (server.requests.length === 12) for (const answer of held.splice(0)) answer();
    });
    const embedder = anEmbedder({ batchSize: 1, concurrency: 3 });
    await Promise.all([
      embedder.embed(['a', 'b', 'c', 'd']),
      embedder.embed(['e', 'f', 'g', 'h']),
      embedder.embed(['i', 'j', 'k', 'l']),
    ]);
    expect(server.requests).toHaveLength(12);
    expect(server.mostAtOnce).toBe(3);
  });

  it('drops the other batches of a call when one fails', async () => {
    server.next(status(401));
    await expect(anEmbedder({ batchSize: 1, concurrency: 1 }).embed(['a', 'b', 'c'])).rejects.toThrow(MemoryError);
    await anEmbedder().embed(['later']);
    expect(server.requests.map(({ body }) => body.input)).toEqual([['a'], ['later']]);
  });

  it('stops asking when the signal aborts, also while others wait for their turn', async () => {
    const controller = new AbortController();
    const reason = new Error('the caller left');
    server.always(() => controller.abort(reason));
    const embedder = anEmbedder({ batchSize: 1, concurrency: 1 });
    await expect(embedder.embed(['a', 'b', 'c'], { signal: controller.signal })).rejects.toBe(reason);
    expect(server.requests).toHaveLength(1);
    server.always(well(dimension));
    expect(await embedder.embed(['d'])).toEqual([hashEmbedding('d', dimension)]);
  });

  it('rejects with the reason when the signal aborts between two attempts', async () => {
    const controller = new AbortController();
    const reason = new Error('the caller left');
    const limits = { batchSize: 1, concurrency: 1, timeoutMs: 10_000, maxRetries: 1 };
    const embedder = createHttpEmbedder({ baseUrl: server.baseUrl, model: 'hash', dimension, ...limits });
    server.next((response, request) => {
      response.once('close', () => controller.abort(reason));
      status(503, { 'retry-after': '60', connection: 'close' })(response, request);
    });
    await expect(embedder.embed(['a'], { signal: controller.signal })).rejects.toBe(reason);
  });

  it('ends what is under way when it is closed and refuses to start again', async () => {
    const embedder = anEmbedder();
    server.always(() => void embedder.close());
    await expect(embedder.embed(['a'])).rejects.toMatchObject({ code: 'embedding_unavailable' });
    await expect(embedder.embed(['b'])).rejects.toThrow('closed');
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['an address that is none', { baseUrl: 'localhost' }, 'embedding_endpoint.base_url'],
    ['another protocol', { baseUrl: 'ftp://host/v1' }, 'embedding_endpoint.base_url'],
    ['credentials in the address', { baseUrl: 'http://user:hunter2@host/v1' }, 'user name or password'],
    ['a key with a line end', { apiKey: 'hunter2\n' }, 'embedding_endpoint.api_key'],
  ])('refuses %s without repeating it', (_, options, words) => {
    const create = () => anEmbedder(options);
    expect(create).toThrow(StartupError);
    expect(create).toThrow(words);
    expect(create).not.toThrow('hunter2');
  });
});
