import { opening, stateless } from '../support/mcp.js';
import fc from '../support/properties.js';
import type { Sent } from './client.js';
import { type Known, mutated, mutations, type Schema, valuesOf } from './from-schema.js';
import { canary, fieldCanary, oddText, oddValue } from './odd-values.js';
import { damaged, damages } from './wire-damage.js';

export interface Tool {
  name: string;
  inputSchema: Schema;
  outputSchema: Schema;
}

/** A JSON-RPC message, with the tool it calls where it calls one. */
export interface Message {
  tool?: Tool;
  body: unknown;
}

/** Requests under way at the same time need ids of their own; a few have not. */
const ids = fc.oneof(
  { weight: 20, arbitrary: fc.noBias(fc.integer({ min: 1, max: 2 ** 50 })) },
  { weight: 1, arbitrary: fc.constant(1) },
);

/** Calls of every tool, with arguments that fit, nearly fit or do not. */
export function toolCalls(tools: readonly Tool[], known: Known): fc.Arbitrary<Message> {
  return fc
    .oneof(...tools.map((tool) => fc.tuple(fc.constant(tool), valuesOf(tool.inputSchema, known), mutations, ids)))
    .map(([tool, given, changes, id]) => ({
      tool,
      body: {
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: tool.name, arguments: mutated(given, changes) },
      },
    }));
}

const uris: fc.Arbitrary<string> = fc.oneof(
  oddText.map((text) => `memory://search/${encodeURIComponent(text.slice(0, 300).toWellFormed())}`),
  oddText.map((text) => `memory://conversation/${encodeURIComponent(text.slice(0, 300).toWellFormed())}`),
  fc.constantFrom('memory://health', 'memory://conversation/example', 'memory://timeline/2026-11-15'),
  fc.constantFrom(
    'memory://timeline/2026-11-15?cursor=abc',
    'memory://timeline/%zz',
    'memory://',
    '',
    'file:///etc/passwd',
  ),
  oddText,
);

/** The other methods, well and badly. */
const others: fc.Arbitrary<unknown> = fc.oneof(
  fc.record({ uri: fc.oneof(uris, oddValue) }).map((params) => ({ method: 'resources/read', params })),
  fc
    .record({
      name: fc.oneof(fc.constantFrom('save_conversation', 'search_memory', 'ask_memory'), oddText),
      arguments: oddValue,
    })
    .map((params) => ({ method: 'prompts/get', params })),
  fc
    .record({
      ref: fc.oneof(
        fc.constantFrom(
          { type: 'ref/prompt', name: 'ask_memory' },
          { type: 'ref/resource', uri: 'memory://search/{query}' },
        ),
        oddValue,
      ),
      argument: fc.oneof(fc.record({ name: fc.constantFrom('query', 'top_k', canary), value: oddText }), oddValue),
    })
    .map((params) => ({ method: 'completion/complete', params })),
  fc
    .record({ level: fc.oneof(fc.constantFrom('debug', 'error'), oddValue) })
    .map((params) => ({ method: 'logging/setLevel', params })),
  fc.record({ cursor: oddValue }).map((params) => ({ method: 'tools/list', params })),
  fc.record({ name: oddText, arguments: oddValue }).map((params) => ({ method: 'tools/call', params })),
  fc.record({ method: oddText, params: oddValue }),
  fc.constantFrom({ method: 'ping' }, { method: 'initialize', params: opening }, { method: 'initialize', params: {} }),
  oddValue.map((params) => ({ method: 'initialize', params: { ...opening, protocolVersion: params } })),
  oddValue.map((params) => ({ method: 'notifications/cancelled', params: { requestId: params } })),
  oddValue.map((result) => ({ id: 5, result })),
);

/** Messages of the protocol that may be none. */
export const messages: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(others, fc.oneof({ weight: 6, arbitrary: ids }, { weight: 1, arbitrary: oddValue }), mutations)
      .map(([message, id, changes]) => mutated({ jsonrpc: '2.0', id, ...(message as object) }, changes)),
  },
  { weight: 1, arbitrary: oddValue },
  { weight: 1, arbitrary: fc.array(others, { maxLength: 3 }) },
);

const oddMcpHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 12, arbitrary: fc.constant({}) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { accept: 'application/json' },
      { accept: 'text/event-stream' },
      { accept: 'text/html' },
      { accept: '*/*' },
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/json; charset=x' },
      { 'mcp-session-id': canary },
      { 'mcp-session-id': '' },
      { 'mcp-protocol-version': fieldCanary },
      { 'mcp-protocol-version': '2026-07-28' },
      { 'mcp-protocol-version': '1999-01-01' },
      { 'mcp-method': fieldCanary, 'mcp-name': fieldCanary },
      { 'last-event-id': canary },
    ),
  },
);

export interface Sending {
  tool?: Tool;
  sent: Sent;
}

/** Messages as HTTP requests, in a session or in the stateless era. */
export function requestsWith(
  content: fc.Arbitrary<Message>,
  { session, authorization }: { session: string; authorization?: string | undefined },
): fc.Arbitrary<Sending> {
  return fc
    .tuple(
      content,
      fc.boolean(),
      oddMcpHeaders,
      damages,
      fc.oneof(
        { weight: 40, arbitrary: fc.constant('POST') },
        { weight: 1, arbitrary: fc.constantFrom('PUT', 'HEAD', 'OPTIONS') },
      ),
    )
    .map(([{ tool, body }, inSession, odd, damage, method]) => {
      const inEra = inSession ? body : inStatelessEra(body);
      const { method: called, params } = asMessage(body);
      const headers: Record<string, string> = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(authorization === undefined ? {} : { authorization }),
        ...(inSession
          ? { 'mcp-session-id': session }
          : { 'mcp-protocol-version': '2026-07-28', 'mcp-method': headerText(called), 'mcp-name': headerText(params) }),
        ...odd,
      };
      const bytes = damaged(JSON.stringify(inEra) ?? '', damage);
      const plain = damage.kind === 'none' && Object.keys(odd).length === 0 && method === 'POST';
      return {
        ...(tool !== undefined && plain ? { tool } : {}),
        sent: { method, path: '/mcp', headers, ...(method === 'HEAD' ? {} : { body: bytes }) },
      };
    });
}

function asMessage(body: unknown): { method?: unknown; params?: unknown } {
  const message = (typeof body === 'object' && body !== null ? body : {}) as {
    method?: unknown;
    params?: { name?: unknown; uri?: unknown };
  };
  const params = typeof message.params === 'object' && message.params !== null ? message.params : {};
  return { method: message.method, params: params.name ?? params.uri };
}

function headerText(value: unknown): string {
  return typeof value === 'string' && /^[\x21-\x7e]{1,200}$/.test(value) ? value : 'x';
}

function inStatelessEra(body: unknown): unknown {
  const { params } = (typeof body === 'object' && body !== null ? body : {}) as { params?: unknown };
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return body;
  return { ...(body as object), params: { ...params, _meta: stateless } };
}
