import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Embedder } from '../../src/embeddings/contract.js';
import { createHttpEmbedder, type HttpEmbedderOptions } from '../../src/embeddings/http.js';
import { hashEmbedding } from '../../src/embeddings/local.js';
import { MemoryError } from '../../src/model/errors.js';
import {
  type Answer,
  type EmbeddingServer,
  items,
  json,
  reset,
  silence,
  startEmbeddingServer,
  status,
  well,
} from './embedding-server.js';

const dimension = 16;
const apiKey = 'sk-very-secret-key';
const texts = ['my private diary', 'another secret'];
const vectors = texts.map((text) => hashEmbedding(text, dimension));
const now = Date.parse('2026-01-01T00:00:00Z');

let server: EmbeddingServer;
let waits: number[];
beforeEach(async () => {
  server = await startEmbeddingServer({ dimension });
  waits = [];
});
afterEach(() => server.close());

function anEmbedder(options: Partial<HttpEmbedderOptions> = {}): Embedder {
  return createHttpEmbedder({
    ...{ baseUrl: server.baseUrl, apiKey, model: 'hash', dimension },
    ...{ batchSize: 16, concurrency: 2, timeoutMs: 10_000, maxRetries: 3 },
    wait: async (milliseconds) => void waits.push(milliseconds),
    random: () => 0.5,
    now: () => now,
    ...options,
  });
}

/** A right answer, changed. */
function altered(change: (all: { index: number; embedding: number[] }[]) => unknown): Answer {
  return (response, request) => json({ data: change(items(request, dimension)) })(response, request);
}

function withEmbedding(embedding: unknown): Answer {
  return altered((all) => all.map(({ index }) => ({ index, embedding })));
}

/** The failure of an embedding, after checking that neither key nor text nor answer is anywhere in it. */
async function failureOf(embedder: Embedder): Promise<MemoryError> {
  const error = await embedder.embed(texts).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof MemoryError)) throw new Error('expected a MemoryError');
  expect(error.code).toBe('embedding_unavailable');
  const everything = inspect(error, { depth: 10, showHidden: true }) + JSON.stringify(error);
  for (const secret of [apiKey, ...texts, 'echo']) expect(everything).not.toContain(secret);
  return error;
}

describe('a passing trouble of the endpoint', () => {
  it.each([408, 429, 500, 502, 503, 504])(
    'is tried again after HTTP %d, twice as long each time, with jitter',
    async (code) => {
      server.next(status(code), status(code), status(code));
      expect(await anEmbedder().embed(texts)).toEqual(vectors);
      expect(waits).toEqual([250, 500, 1000]);
    },
  );

  it('waits at random below the bound', async () => {
    server.next(status(500), status(500), status(500));
    const values = [0, 0.999, 0.25];
    await anEmbedder({ random: () => values.shift() ?? 0 }).embed(texts);
    expect(waits).toEqual([0, 999, 500]);
  });

  it('limits its waits', async () => {
    server.next(...Array<Answer>(9).fill(status(500)));
    await anEmbedder({ maxRetries: 9, random: () => 1 }).embed(texts);
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  });

  it.each([
    ['7', 7000],
    ['0', 0],
    ['86400', 60_000],
    ['Thu, 01 Jan 2026 00:00:09 GMT', 9000],
    ['Fri, 02 Jan 2026 00:00:00 GMT', 60_000],
    ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
    ['soon', 250],
    ['1.5', 1500],
    ['-5', 250],
  ])('honours Retry-After: %s', async (retryAfter, milliseconds) => {
    server.next(status(429, { 'retry-after': retryAfter }));
    expect(await anEmbedder().embed(texts)).toEqual(vectors);
    expect(waits).toEqual([milliseconds]);
  });

  it('is tried again when the connection is reset', async () => {
    server.next(reset);
    expect(await anEmbedder().embed(texts)).toEqual(vectors);
    expect(waits).toEqual([250]);
  });

  it('is tried again when the answer breaks off', async () => {
    server.next((response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"data": [');
      response.socket?.end();
    });
    expect(await anEmbedder().embed(texts)).toEqual(vectors);
    expect(waits).toEqual([250]);
  });

  it.each<[string, Answer]>([
    ['nothing comes', silence],
    ['the answer stops in its middle', (response) => response.writeHead(200).write('{"data": [')],
  ])('is tried again when %s in time', async (_, answer) => {
    server.next(answer);
    // A busy machine may be late with a good answer too, so the number of attempts is open.
    expect(await anEmbedder({ timeoutMs: 200, maxRetries: 50 }).embed(texts)).toEqual(vectors);
    expect(waits.length).toBeGreaterThan(0);
  });

  it.each<[string, Answer, string]>([
    ['HTTP 500', status(500), 'HTTP 500'],
    ['HTTP 429', status(429), 'HTTP 429'],
    ['a reset', reset, 'could not be reached'],
  ])('fails with what to do when %s lasts longer than the retries', async (_, answer, words) => {
    server.always(answer);
    expect((await failureOf(anEmbedder({ maxRetries: 2 }))).message).toContain(words);
    expect(server.requests).toHaveLength(3);
    expect(waits).toEqual([250, 500]);
  });

  it('fails with what to do when silence lasts longer than the retries', async () => {
    server.always(silence);
    const { message } = await failureOf(anEmbedder({ timeoutMs: 50, maxRetries: 2 }));
    expect(message).toContain('did not answer within 50 ms');
    expect(waits).toEqual([250, 500]);
  });

  it('fails when no server listens', async () => {
    const embedder = anEmbedder();
    await server.close();
    expect((await failureOf(embedder)).message).toContain('embedding_endpoint.base_url');
    expect(waits).toHaveLength(3);
  });
});

describe('a lasting trouble of the endpoint', () => {
  it.each<[string, Answer, string]>([
    ['401', status(401), 'embedding_endpoint.api_key'],
    ['403', status(403), 'embedding_endpoint.api_key'],
    ['404', status(404), 'providers.embedding_model'],
    ['413', status(413), 'HTTP 413'],
    ['a redirect', status(307, { location: 'http://127.0.0.1:9/elsewhere' }), 'redirects to another address'],
    ['something that is not JSON', (response) => response.end('<html>echo</html>'), 'not JSON'],
    ['JSON without vectors', json({ error: 'echo' }), '"data" list'],
    ['null', json(null), '"data" list'],
    ['items that are none', json({ data: [null, 'echo'] }), 'belongs to no text'],
    ['too few vectors', altered((all) => all.slice(1)), '1 vectors for 2 texts'],
    ['too many vectors', altered((all) => [...all, ...all]), '4 vectors for 2 texts'],
    ['one index twice', altered((all) => all.map((item) => ({ ...item, index: 1 }))), 'two vectors for one text'],
    ['an index out of range', altered((all) => all.map((item) => ({ ...item, index: item.index + 1 }))), 'no text'],
    ['an index that is none', altered((all) => all.map((item) => ({ ...item, index: 'echo' }))), 'no text'],
    ['strings for numbers', withEmbedding(Array(dimension).fill('0.1')), 'finite numbers'],
    ['NaN, which JSON writes as null', withEmbedding(Array(dimension).fill(Number.NaN)), 'finite numbers'],
    ['numbers too large to store', withEmbedding(Array(dimension).fill(1e300)), 'finite numbers'],
    ['vectors in base64', withEmbedding('echo'), 'not a list of numbers'],
  ])('fails at once on %s', async (_, answer, words) => {
    server.always(answer);
    expect((await failureOf(anEmbedder())).message).toContain(words);
    expect(server.requests).toHaveLength(1);
    expect(waits).toEqual([]);
  });

  it('says expected and received numbers when the dimension is another one', async () => {
    server.always(well(24));
    expect((await failureOf(anEmbedder())).message).toBe(
      'The embedding model returned 24 dimensions instead of 16: fix providers.embedding_dimension.',
    );
    expect(server.requests).toHaveLength(1);
  });

  it('does not follow a redirect with the texts and the key', async () => {
    const elsewhere = await startEmbeddingServer({ dimension });
    server.always(status(308, { location: `${elsewhere.baseUrl}/embeddings` }));
    await failureOf(anEmbedder());
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.close();
  });
});

describe('an answer in another order', () => {
  it('is put in order by its index', async () => {
    server.always(altered((all) => all.reverse()));
    expect(await anEmbedder().embed(texts)).toEqual(vectors);
  });
});

describe('an endpoint that refuses "dimensions"', () => {
  const refusing =
    (code: number): Answer =>
    (response, request) =>
      (request.body.dimensions === undefined ? well(dimension) : status(code))(response, request);
  const sent = () => server.requests.map(({ body }) => body.dimensions);

  it.each([400, 422])('is asked once without after HTTP %d, and never with again', async (code) => {
    server.always(refusing(code));
    const embedder = anEmbedder();
    expect(await embedder.embed(texts)).toEqual(vectors);
    expect(await embedder.embed(texts)).toEqual(vectors);
    expect(sent()).toEqual([dimension, undefined, undefined]);
    expect(waits).toEqual([]);
  });

  it('is asked with them again when leaving them out did not help', async () => {
    server.next(status(400), status(400));
    const embedder = anEmbedder();
    expect((await failureOf(embedder)).message).toContain('HTTP 400');
    expect(await embedder.embed(texts)).toEqual(vectors);
    expect(sent()).toEqual([dimension, undefined, dimension]);
  });

  it('fails at once on a later refusal', async () => {
    server.always(refusing(400));
    const embedder = anEmbedder();
    await embedder.embed(texts);
    server.always(status(400));
    await failureOf(embedder);
    expect(sent()).toEqual([dimension, undefined, undefined]);
  });
});
