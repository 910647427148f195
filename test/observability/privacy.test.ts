import { describe, expect, it, onTestFinished } from 'vitest';
import { createToken } from '../../src/auth/tokens.js';
import { createUser } from '../../src/auth/users.js';
import type { ConfigInput } from '../../src/config/schema.js';
import { startEmbeddingServer, status } from '../embeddings/embedding-server.js';
import { atLength } from '../support/length.js';
import { startPglite } from '../support/pglite-server.js';
import { aWatchedService, type WatchedService } from '../support/watched-service.js';
import { busyDay, fieldWord, type Request, words } from './busy-day.js';
import { aGrpcCollector, anHttpCollector } from './collector.js';

/** A little in `npm test`, more in `npm run test:long`, all of it in `npm run test:fuzz`. */
const operations = Number(process.env.FUZZ_RUNS ?? 0) > 20_000 ? 10_000 : atLength(400, 1_200);
const secrets = { key: 'zqapikey', dsnUser: 'zqdsnuser', dsnPassword: 'zqdsnpassword', dsnBase: 'zqdsnbase' };
const everything = [...Object.values(words), ...Object.values(secrets), fieldWord];

async function watched(config: ConfigInput) {
  const collectors = { http: await anHttpCollector(), grpc: await aGrpcCollector() };
  const service = await aWatchedService(config, {
    http: collectors.http.endpoint,
    grpc: collectors.grpc.endpoint,
  });
  return { service, received: () => [...collectors.http.received, ...collectors.grpc.received] };
}

type Watched = Awaited<ReturnType<typeof watched>>;

/** Sends days of requests until so many are done; error bodies are looked at as they come. */
async function live(
  app: WatchedService['app'],
  count: number,
  authorization?: string,
): Promise<Record<number, number>> {
  const known = '5b0f3f0e-7a51-4c39-9f0a-000000000001';
  const counts: Record<number, number> = {};
  const leaks: string[] = [];
  async function one({ path, init }: Request): Promise<void> {
    const headers = new Headers(init.headers);
    if (authorization !== undefined && !headers.has('authorization')) headers.set('authorization', authorization);
    const answer = await app.request(path, { ...init, headers });
    // An export whose store goes away ends in the middle.
    const body = await answer.text().catch(() => '');
    counts[answer.status] = (counts[answer.status] ?? 0) + 1;
    if (answer.status < 400) return;
    // The protocol tells the sender which header disagreed with the message; a field's name is told to who sent it.
    const telling = Object.values({ ...words, ...secrets }).filter((word) => body.includes(word));
    if (telling.length > 0 && leaks.length < 5) leaks.push(`${path}: ${body.slice(0, 300)}`);
  }
  for (let number = 0, done = 0; done < count; number++) {
    const day = busyDay(number, known).slice(0, count - done);
    done += day.length;
    for (let at = 0; at < day.length; at += 8) await Promise.all(day.slice(at, at + 8).map(one));
  }
  expect(leaks).toEqual([]);
  return counts;
}

/** Nothing of it in any line, span, metric or page. */
async function expectSilence({ service, received }: Watched, authorization?: string): Promise<void> {
  const headers = authorization === undefined ? {} : { authorization };
  const pages = await Promise.all(
    ['/observability', '/metrics', '/health', '/ready'].map(async (page) => {
      return (await service.app.request(page, { headers })).text();
    }),
  );
  await service.close();
  const told = [...service.lines, ...pages, ...received().map(({ bytes }) => bytes.toString('latin1'))];
  const leaks = told.flatMap((each) =>
    everything.filter((word) => each.includes(word)).map((word) => `${word}: ${around(each, word)}`),
  );
  expect(leaks.slice(0, 5)).toEqual([]);
  expect(service.lines.length).toBeGreaterThan(100);
  const paths = new Set(received().map(({ path }) => (path.includes('race') ? 'traces' : 'metrics')));
  expect([...paths].sort()).toEqual(['metrics', 'traces']);
}

function around(text: string, word: string): string {
  const at = text.indexOf(word);
  return text.slice(Math.max(0, at - 200), at + 100);
}

describe('what people write', { timeout: 600_000 }, () => {
  it('is in no log line, span, metric, error or page, whatever they do', async () => {
    const watching = await watched({ api: { auth: 'bearer_token' } });
    const { administration } = watching.service.runtime.access;
    await createUser(administration, { name: 'nora', displayName: words.name });
    const value = `${words.token}${'x'.repeat(40)}`;
    await createToken(administration, { user: 'nora', displayName: words.name, value });
    const counts = await live(watching.service.app, operations * 0.6, `Bearer ${value}`);
    expect(Object.keys(counts)).toEqual(expect.arrayContaining(['200', '400', '401', '403', '404', '405', '415']));
    await expectSilence(watching, `Bearer ${value}`);
  });

  it('stays out while the embedding service fails and repeats what it was sent', async () => {
    const embeddings = await startEmbeddingServer({ dimension: 8 });
    onTestFinished(embeddings.close);
    embeddings.always(status(500));
    const watching = await watched({
      providers: { embeddings: 'http', embedding_model: 'm', embedding_dimension: 8 },
      embedding_endpoint: { base_url: embeddings.baseUrl, api_key: secrets.key },
      embeddings: { max_retries: 0 },
    });
    await live(watching.service.app, operations * 0.2);
    await expectSilence(watching);
  });

  it('stays out while the stores fail, and so does what leads to them', async () => {
    const database = await startPglite();
    const { port } = new URL(database.url);
    const url = `postgresql://${secrets.dsnUser}:${secrets.dsnPassword}@127.0.0.1:${port}/${secrets.dsnBase}?sslmode=disable`;
    const watching = await watched({
      providers: { metadata_db: 'postgres', vector_db: 'pgvector' },
      storage: { metadata_providers: { postgres: { url } }, vector_providers: { pgvector: { url } } },
    });
    const before = await live(watching.service.app, operations * 0.1);
    expect(before[200]).toBeGreaterThan(0);
    await database.stop();
    const after = await live(watching.service.app, operations * 0.1);
    expect(after[503]).toBeGreaterThan(0);
    await expectSilence(watching);
  });
});
