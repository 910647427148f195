import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConfigInput } from '../../src/config/schema.js';
import fc from '../support/properties.js';
import { attempt } from './attempt.js';
import { type Got, type Sent, send } from './client.js';
import type { Known } from './from-schema.js';
import { canary, fieldCanary } from './odd-values.js';
import { createOracle, type OpenApi } from './oracle.js';
import { type Program, startProgram } from './program.js';
import { requestsOf } from './requests.js';
import { allowance, patience, seed, share } from './settings.js';
import { prepared } from './store.js';
import { uploads } from './uploads.js';

const mostBytes = 300_000;
/** A little less than `limits.max_header_bytes`: the other headers count too. */
const mostHeaderBytes = 15_000;

const modes: { name: string; part: number; config: ConfigInput }[] = [
  { name: 'without tokens', part: 0.2, config: { storage: { allow_trusted_appends: true } } },
  {
    name: 'with tokens',
    part: 0.2,
    config: {
      api: { auth: 'bearer_token' },
      memory: { insert_policy: 'review_pending', secret_policy: 'quarantine' },
      providers: { vector_db: 'memory' },
    },
  },
];

describe.each(modes)('the HTTP door $name', ({ part, config }) => {
  let program: Program;
  let url: string;
  let document: OpenApi;
  let known: Known;
  let credentials: (string | undefined)[];
  let complaints: (sent: Sent, got: Got) => string[];
  const counts: Record<number, number> = {};

  beforeAll(async () => {
    const limits = { max_body_bytes: mostBytes, max_import_bytes: mostBytes, request_timeout_ms: patience };
    const observability = { log_level: 'debug', log_format: 'json' } as const;
    program = await startProgram(['serve', '--port', '0', '--json'], { ...config, limits, observability }, [
      canary,
      fieldCanary,
    ]);
    url = (JSON.parse(await program.firstLine) as { url: string }).url;
    ({ document, known, credentials } = await prepared(program, url, config.api?.auth === 'bearer_token'));
    complaints = createOracle(document);
  });
  afterAll(() => program.stop());

  const judge = async (sent: Sent): Promise<string[]> => {
    const got = await send(url, sent).catch((error: Error) => error);
    // Who sends more than is taken may be cut off before the refusal arrives.
    if (got instanceof Error && (sent.body?.length ?? 0) > mostBytes && /EPIPE|ECONNRESET/.test(got.message)) return [];
    if (got instanceof Error) return [got.message];
    counts[got.status] = (counts[got.status] ?? 0) + 1;
    // Node itself refuses an address that is longer than the headers may be.
    if (got.status === 431 && sent.path.length > mostHeaderBytes) return [];
    return complaints(sent, got);
  };

  it('answers every call of its description as the description says', { timeout: allowance }, async () => {
    await attempt(requestsOf({ document, known, credentials }), share(part), judge, shown);
  });

  it('takes any upload or refuses it', { timeout: allowance }, async () => {
    const authorization = credentials[0];
    const headers = authorization === undefined ? {} : { authorization };
    const own = uploads.map((sent) => ({ ...sent, headers: { ...sent.headers, ...headers } }));
    await attempt(own, share(part / 6), judge, shown);
  });

  it('survives what is not HTTP', { timeout: allowance }, async () => {
    const property = fc.asyncProperty(rawRequests, async (bytes) => {
      const answer = await sendRaw(url, bytes);
      expect(answer).toMatch(/^$|^HTTP\/1\.1 [1-4]\d\d /);
      if (/^HTTP\/1\.1 4/.test(answer)) expect(answer).not.toContain(canary);
    });
    await fc.assert(property, { seed, numRuns: share(part / 20) });
  });

  it('works afterwards, has logged nothing that was sent, and has kept its memory', async () => {
    const health = await send(url, { method: 'GET', path: '/ready', headers: {} });
    expect(health.status).toBe(200);
    expect(program.told).toEqual([]);
    const { now, peak } = program.memory();
    process.stdout.write(
      `fuzz seed ${seed}: ${JSON.stringify(counts)}, memory ${now} MB, at most ${peak} MB, log ${program.logBytes()} bytes\n`,
    );
    expect(program.logBytes()).toBeGreaterThan(1_000);
    expect(peak).toBeLessThan(1_500);
  });
});

function shown({ method, path, headers, body }: Sent): string {
  const text = body === undefined ? '' : `\n${JSON.stringify(body.toString('utf8').slice(0, 600))}`;
  return `${method} ${path.slice(0, 300)}\n${JSON.stringify(headers).slice(0, 300)}${text}`;
}

const rawPieces = [
  'GET /health HTTP/1.1\r\n',
  'POST /memory/search HTTP/1.1\r\n',
  `GET /${canary} HTTP/1.1\r\n`,
  'GET /health HTTP/9.9\r\n',
  'GET  /health\r\n',
  'Host: 127.0.0.1\r\n',
  'Host: 127.0.0.1\r\nHost: other\r\n',
  'Content-Length: 5\r\n',
  'Content-Length: -1\r\n',
  'Content-Length: 5, 6\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding: chunked, gzip\r\n',
  'Content-Type: application/json\r\n',
  'Expect: 100-continue\r\n',
  'Expect: 999\r\n',
  'Upgrade: websocket\r\nConnection: Upgrade\r\n',
  'Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  `X: ${canary}\0\r\n`,
  ` folded: ${canary}\r\n`,
  '\r\n',
  '\r\n\r\n',
  '5\r\n{"a":\r\n',
  '0\r\n\r\n',
  'ffffffffffffffff\r\n',
  '{"query":"x"}',
];

const rawRequests: fc.Arbitrary<Buffer> = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...rawPieces).map((text) => Buffer.from(text, 'latin1')) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes)) },
    ),
    { minLength: 1, maxLength: 10 },
  )
  .map((pieces) => Buffer.concat(pieces));

/** Everything that comes back until the connection ends. */
function sendRaw(url: string, bytes: Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), hostname);
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`the connection is open after ${patience} ms`));
    }, patience);
    socket.on('data', (part: Buffer) => {
      received += part.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(received);
    });
    socket.end(bytes);
  });
}
