import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { opening } from '../support/mcp.js';
import { attempt } from './attempt.js';
import { type Got, send } from './client.js';
import { canary, fieldCanary } from './odd-values.js';
import { type Program, startProgram } from './program.js';
import { messages, requestsWith, type Sending, type Tool, toolCalls } from './rpc.js';
import { allowance, seed, share } from './settings.js';
import { type Prepared, prepared } from './store.js';

/** The SDK tells the sender which header disagrees with which part of the message, in both their words. */
const mismatch = -32_020;
const mostBytes = 300_000;
const both = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

describe.each([
  { name: 'without tokens', tokens: false, part: 0.1 },
  { name: 'with tokens', tokens: true, part: 0.04 },
])('the MCP door $name', ({ tokens, part }) => {
  let program: Program;
  let url: string;
  let store: Prepared;
  let tools: Tool[];
  let session: string;
  const counts: Record<string, number> = {};
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const checks = new Map<string, ReturnType<typeof ajv.compile>>();

  beforeAll(async () => {
    program = await startProgram(
      ['serve', '--port', '0', '--json'],
      {
        limits: { max_body_bytes: mostBytes },
        observability: { log_level: 'debug', log_format: 'text' },
        ...(tokens ? { api: { auth: 'bearer_token' } } : {}),
      },
      [canary, fieldCanary],
    );
    url = (JSON.parse(await program.firstLine) as { url: string }).url;
    store = await prepared(program, url, tokens);
    const post = (body: object, headers = {}): Promise<Got> =>
      send(url, {
        method: 'POST',
        path: '/mcp',
        headers: { ...both, ...headers, ...(tokens ? { authorization: store.credentials[0] ?? '' } : {}) },
        body: Buffer.from(JSON.stringify(body)),
      });
    const opened = await post({ jsonrpc: '2.0', id: 0, method: 'initialize', params: opening });
    session = String(opened.headers['mcp-session-id']);
    const listed = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, { 'mcp-session-id': session });
    ({ tools } = (answerOf(listed) as { result: { tools: Tool[] } }).result);
    for (const { name, outputSchema } of tools) checks.set(name, ajv.compile(outputSchema));
  });
  afterAll(() => program.stop());

  /** Errors are JSON-RPC errors; tools always answer with an envelope of their own schema. */
  async function judge({ tool, sent }: Sending): Promise<string[]> {
    const got = await send(url, sent).catch((error: Error) => error);
    if (got instanceof Error && (sent.body?.length ?? 0) > mostBytes && /EPIPE|ECONNRESET/.test(got.message)) return [];
    if (got instanceof Error) return [got.message];
    counts[got.status] = (counts[got.status] ?? 0) + 1;
    if (got.status >= 500) return [`status ${got.status}: ${got.text.slice(0, 300)}`];
    if (got.text === '') return [];
    const answer = answerOf(got) as {
      error?: { code: number };
      result?: { isError?: boolean; structuredContent?: object };
    };
    const found: string[] = [];
    if (answer === undefined) return [`neither JSON nor an event: ${got.text.slice(0, 200)}`];
    if (answer.error?.code === -32_603) found.push(`an internal error: ${got.text.slice(0, 300)}`);
    const failed = (answer.error !== undefined && answer.error.code !== mismatch) || answer.result?.isError === true;
    if (failed && withoutEchoes(got.text).includes(canary))
      found.push(`the error tells what was sent: ${got.text.slice(0, 400)}`);
    const envelope = answer.result?.structuredContent as { error_code?: string } | undefined;
    if (envelope?.error_code === 'internal_error') found.push(`an internal error: ${got.text.slice(0, 300)}`);
    if (tool !== undefined && got.status === 200) {
      const check = checks.get(tool.name);
      if (envelope === undefined && answer.error === undefined) found.push(`no envelope: ${got.text.slice(0, 300)}`);
      else if (envelope !== undefined && check?.(envelope) !== true) {
        found.push(`${tool.name} answers what it does not declare: ${JSON.stringify(check?.errors?.slice(0, 2))}`);
      }
    }
    return found;
  }

  const show = ({ sent }: Sending): string =>
    `${sent.method} ${JSON.stringify(sent.headers).slice(0, 300)}\n${JSON.stringify(sent.body?.toString('utf8').slice(0, 600))}`;

  it('answers every call of a tool with an envelope', { timeout: allowance }, async () => {
    const authorization = store.credentials[0];
    await attempt(requestsWith(toolCalls(tools, store.known), { session, authorization }), share(part), judge, show);
  });

  it('answers every other message by the protocol', { timeout: allowance }, async () => {
    const authorization = store.credentials[0];
    const content = messages.map((body) => ({ body }));
    await attempt(requestsWith(content, { session, authorization }), share(part / 2), judge, show);
  });

  it('works afterwards, has logged nothing that was sent, and has kept its memory', async () => {
    expect((await send(url, { method: 'GET', path: '/ready', headers: {} })).status).toBe(200);
    expect(program.told).toEqual([]);
    const { now, peak } = program.memory();
    process.stdout.write(`fuzz seed ${seed}: MCP ${JSON.stringify(counts)}, memory ${now} MB, at most ${peak} MB\n`);
    expect(peak).toBeLessThan(1_500);
  });
});

function answerOf({ text }: Got): unknown {
  const data = [...text.matchAll(/^data: (.+)$/gm)].at(-1)?.[1] ?? text;
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

/** The protocol wants the id of the request told back, and the address of a resource that does not exist. */
function withoutEchoes(text: string): string {
  return text.replace(/"(?:uri|id)":"(?:[^"\\]|\\.)*"/g, '');
}
