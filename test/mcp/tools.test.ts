import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { localPrincipal } from '../../src/auth/access.js';
import { callTool } from '../../src/mcp/memory-surface.js';
import type { McpRequest } from '../../src/mcp/server.js';
import { memoryTools } from '../../src/mcp/tools/table.js';
import { localProjectId } from '../../src/model/ids.js';
import { aConversation, aNote, turns } from '../support/conversation.js';
import { createFaults } from '../support/faults/faults.mjs';
import { aSession } from '../support/mcp.js';
import { aService, type Body, startService } from '../support/service.js';

const sixKeys = ['status', 'id', 'results', 'cursor', 'error_code', 'error_message'];

describe('tools/list', () => {
  let tools: Body[];
  beforeAll(async () => {
    const service = await startService();
    tools = (await (await aSession(service)).result('tools/list')).tools as Body[];
    await service.close();
  });

  it('names the tools of the operations that exist, and search and fetch for connectors', () => {
    expect(tools.map(({ name }) => name)).toEqual([
      'memory_validate',
      'memory_insert',
      'memory_search',
      'memory_retrieve',
      'memory_context',
      'memory_ask',
      'memory_fact_search',
      'memory_profile_get',
      'memory_people',
      'memory_fact_supersede',
      'memory_fact_add',
      'memory_fact_correct',
      'memory_fact_retract',
      'memory_fact_pin',
      'memory_fact_unpin',
      'memory_fact_undo',
      'memory_pending_approve',
      'memory_pending_reject',
      'memory_project_list',
      'memory_project_default_get',
      'memory_project_get',
      'search',
      'fetch',
    ]);
  });

  it('gives each a title, a description, schemas of objects and hints', () => {
    for (const tool of tools) {
      expect(tool).toMatchObject({
        title: expect.any(String),
        description: expect.stringMatching(/\w{3}/),
        inputSchema: { type: 'object', additionalProperties: false },
        outputSchema: { type: 'object', required: expect.arrayContaining(sixKeys) },
        annotations: {
          readOnlyHint: expect.any(Boolean),
          openWorldHint: false,
          // Each undo goes one change further back.
          idempotentHint: tool.name !== 'memory_fact_undo',
        },
      });
      expect(JSON.stringify(tool)).not.toContain('$schema');
    }
  });

  it('says which tools only read and which may hide something', () => {
    const hints = tools.map(({ name, annotations }) => {
      const { readOnlyHint, destructiveHint } = annotations as Body;
      return [name, readOnlyHint ? 'reads' : destructiveHint ? 'changes' : 'adds'];
    });
    expect(Object.fromEntries(hints)).toEqual({
      memory_validate: 'reads',
      memory_insert: 'adds',
      memory_search: 'reads',
      memory_retrieve: 'reads',
      memory_context: 'reads',
      memory_ask: 'reads',
      memory_fact_search: 'reads',
      memory_profile_get: 'reads',
      memory_people: 'reads',
      memory_fact_supersede: 'changes',
      memory_fact_add: 'adds',
      memory_fact_correct: 'changes',
      memory_fact_retract: 'changes',
      memory_fact_pin: 'changes',
      memory_fact_unpin: 'changes',
      memory_fact_undo: 'changes',
      memory_pending_approve: 'adds',
      memory_pending_reject: 'changes',
      memory_project_list: 'reads',
      memory_project_default_get: 'reads',
      memory_project_get: 'reads',
      search: 'reads',
      fetch: 'reads',
    });
  });

  it('accepts project_id in every tool that reads or writes memory', () => {
    const none = ['memory_project_list', 'memory_project_default_get'];
    for (const { name, inputSchema } of tools.filter((tool) => !none.includes(String(tool.name)))) {
      expect({ name, ...((inputSchema as Body).properties as Body) }).toHaveProperty('project_id');
    }
  });

  it('says every shape of a conversation that is accepted', async () => {
    const turn = { role: 'user', content: 'The quince is ripe.' };
    const shapes = [{ messages: [turn] }, { source: 'claude', conversation: [turn] }, { content: [turn] }, [turn]];
    const service = await startService();
    const session = await aSession(service);
    for (const name of ['memory_insert', 'memory_validate']) {
      const input = tools.find((tool) => tool.name === name)?.inputSchema as Body;
      const schema = (input.properties as Body).conversation_json as Body;
      const allows = new Ajv2020({ strict: false }).compile(schema);
      for (const shape of shapes) {
        expect({ shape, allowed: allows(shape) }).toEqual({ shape, allowed: true });
        expect(await session.call(name, { conversation_json: shape })).toMatchObject({ status: 'ok' });
      }
      for (const wrong of ['{}', {}, [], { messages: [] }]) expect(allows(wrong)).toBe(false);
    }
    await service.close();
  });

  it('offers the parameters of the interface on memory_search', () => {
    const search = tools.find(({ name }) => name === 'memory_search')?.inputSchema as Body;
    const names =
      'query top_k limit cursor source date_from date_to tags thread_id memory_status result_mode project_id';
    expect(Object.keys(search.properties as Body)).toEqual([
      ...names.split(' '),
      'sort',
      'rerank',
      'match',
      'reference_date',
      'response_format',
    ]);
    expect(search.properties).toMatchObject({ top_k: { default: 5 }, response_format: { default: 'concise' } });
    expect(search.required).toEqual(['query']);
  });
});

describe('a tool', () => {
  it('refuses two projects for one conversation', async () => {
    const session = await aSession(await aService());
    const call = (inside: string) =>
      session.call('memory_insert', {
        project_id: localProjectId,
        conversation_json: aConversation({ project_id: inside }),
      });
    expect(await call('team')).toMatchObject({
      error_code: 'invalid_input',
      error_message: expect.stringContaining('conversation_json.project_id'),
    });
    expect(await call(localProjectId)).toMatchObject({ status: 'ok' });
  });

  it('stores, finds, retrieves and fetches a conversation', async () => {
    const session = await aSession(await aService());
    const stored = await session.call('memory_insert', {
      conversation_json: aConversation({ title: 'Tools', messages: turns('Where is the anvil?', 'In the smithy.') }),
    });
    expect(stored).toEqual({
      status: 'ok',
      id: expect.any(String),
      results: [],
      cursor: null,
      error_code: null,
      error_message: null,
      memory_status: 'active',
      deduplicated: false,
      appended_messages: 0,
      embedded_chunks: 2,
      chunks: 2,
    });
    const { id } = stored;
    expect(await session.call('memory_search', { query: 'anvil', top_k: 1 })).toMatchObject({
      status: 'ok',
      results: [{ id, text: 'Where is the anvil?', conversation: { id, title: 'Tools' } }],
    });
    const { memory } = await session.call('memory_retrieve', { id });
    expect(memory).toMatchObject({ messages: turns('Where is the anvil?', 'In the smithy.') });
    expect(JSON.stringify(memory)).not.toContain('sha256:');
    const url = `memory://conversation/${id}`;
    expect(await session.call('search', { query: 'anvil' })).toMatchObject({
      results: [{ id, title: 'Tools', url }],
    });
    expect(await session.call('fetch', { id })).toMatchObject({
      id,
      title: 'Tools',
      text: 'User: Where is the anvil?\n\nAssistant: In the smithy.',
      url,
      metadata: { source: 'chatgpt' },
    });
  });

  it('takes an array of turns, content for text, and mcp as the source', async () => {
    const session = await aSession(await aService());
    const conversation_json = [{ role: 'human', content: 'The kettle is red.' }];
    const { id } = await session.call('memory_insert', { conversation_json, project_id: 'local-default' });
    expect(await session.call('memory_retrieve', { id })).toMatchObject({
      memory: { source: 'mcp', messages: [{ role: 'user', text: 'The kettle is red.' }] },
    });
  });

  it('validates without storing', async () => {
    const session = await aSession(await aService({ memory: { insert_policy: 'review_pending' } }));
    const conversation_json = aNote('The owl is awake.');
    expect(await session.call('memory_validate', { conversation_json })).toMatchObject({
      status: 'ok',
      valid: true,
      results: [],
      memory_status: 'pending_review',
    });
    const stored = await session.call('memory_search', { query: 'owl', memory_status: 'all' });
    expect(stored.results).toEqual([]);
    expect(await session.call('memory_validate', { conversation_json: { messages: [] } })).toMatchObject({
      status: 'error',
      valid: false,
      error_code: 'invalid_input',
      error_message: 'messages must contain at least one message',
    });
  });

  it('decides about a memory that waits for review', async () => {
    const session = await aSession(await aService({ memory: { insert_policy: 'review_pending' } }));
    const insert = async (text: string) => (await session.call('memory_insert', { conversation_json: aNote(text) })).id;
    const [kept, refused] = [await insert('Keep the lantern.'), await insert('Forget the lantern.')];
    expect(await session.call('memory_pending_approve', { id: kept })).toMatchObject({ memory_status: 'active' });
    expect(await session.call('memory_pending_reject', { id: refused })).toMatchObject({ memory_status: 'rejected' });
    expect(await session.call('memory_pending_reject', { id: refused })).toMatchObject({
      status: 'error',
      error_code: 'memory_not_pending_review',
      memory_status: 'rejected',
    });
  });

  it('leaves messages out and cuts long texts unless everything is asked for', async () => {
    const session = await aSession(await aService());
    const long = `marmalade ${'jar '.repeat(600)}`.trim();
    await session.call('memory_insert', { conversation_json: aNote(long) });
    const [short] = (await session.call('memory_search', { query: 'marmalade' })).results as Body[];
    expect(short?.conversation).not.toHaveProperty('messages');
    expect(String(short?.text).length).toBeLessThanOrEqual(1_301);
    expect(short?.text).toMatch(/^marmalade jar .* jar…$/);
    const detailed = await session.call('memory_search', { query: 'marmalade', response_format: 'detailed' });
    expect(detailed.results).toMatchObject([{ text: long, conversation: { messages: [{ text: long }] } }]);
  });

  it('orders what it finds by how well it answers, unless told not to', async () => {
    const service = await aService({ models: { reader: true } });
    const session = await aSession(service);
    const texts = [
      'We finally moved to Leeds last weekend.',
      'Which city did people move to in 1900?',
      'The move in chess took the city champion an hour.',
      'My brother moved to Lyon.',
      'The city moved the bus stop.',
      'I moved the sofa to the wall.',
    ];
    for (const text of texts) await session.call('memory_insert', { conversation_json: aNote(text) });
    const asked = { query: 'Which city did I move to?', top_k: 10 };
    const idsFrom = ({ results }: { results?: unknown }) => (results as Body[]).map(({ id }) => id);
    const plain = idsFrom(await service.search(asked));
    const reranked = idsFrom(await service.search({ ...asked, rerank: true }));
    expect(reranked).not.toEqual(plain);
    expect(idsFrom(await session.call('memory_search', asked))).toEqual(reranked);
    expect(idsFrom(await session.call('memory_search', { ...asked, rerank: false }))).toEqual(plain);
  });

  it('walks pages by its cursor', async () => {
    const session = await aSession(await aService());
    for (const text of ['one plum', 'two plums', 'three plums']) {
      await session.call('memory_insert', { conversation_json: aNote(text) });
    }
    const first = await session.call('memory_search', { query: 'plums', limit: 2 });
    const second = await session.call('memory_search', { query: 'plums', limit: 2, cursor: first.cursor });
    const ids = [...(first.results as Body[]), ...(second.results as Body[])].map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    expect(second.cursor).toBeNull();
  });
});

describe('a refused call', () => {
  const refusals: [title: string, tool: string, given: Body, field: string, message: string][] = [
    ['null for an optional field', 'memory_search', { query: 'x', source: null }, 'source', 'must not be null'],
    ['an unknown field', 'memory_search', { query: 'x', colour: 'red' }, 'colour', 'is not a known field'],
    ['a missing field', 'memory_search', {}, 'query', 'is required'],
    ['a wrong type', 'memory_search', { query: 'x', top_k: '5' }, 'top_k', 'must be a'],
    ['too much', 'memory_search', { query: 'x', top_k: 101 }, 'top_k', 'must be at most 100'],
    ['a bad cursor', 'memory_search', { query: 'x', cursor: '!' }, 'cursor', 'must be a cursor'],
    ['an unknown format', 'memory_search', { query: 'x', response_format: 'x' }, 'response_format', 'must be one of'],
    ['an id that is no UUID', 'memory_retrieve', { id: '7' }, 'id', 'must be a valid UUID'],
    [
      'a conversation as a text',
      'memory_insert',
      { conversation_json: '{}' },
      'conversation_json',
      'not a JSON string',
    ],
    ['no conversation', 'memory_insert', {}, 'conversation_json', 'is required'],
    [
      'null for the conversation',
      'memory_validate',
      { conversation_json: null },
      'conversation_json',
      'must not be null',
    ],
    ['null inside it', 'memory_insert', { conversation_json: { messages: [], title: null } }, 'title', 'null'],
  ];

  it.each(refusals)('is an envelope that names the field: %s', async (_, tool, given, path, message) => {
    const session = await aSession(await aService());
    const { result } = (await session.request('tools/call', { name: tool, arguments: given })) as { result: Body };
    const envelope = result.structuredContent as Body;
    expect(result.isError).toBe(true);
    expect(Object.keys(envelope)).toEqual(expect.arrayContaining(sixKeys));
    expect(envelope).toMatchObject({
      status: 'error',
      error_code: 'invalid_input',
      id: null,
      results: [],
      cursor: null,
    });
    expect(envelope.issues).toEqual([expect.objectContaining({ path })]);
    expect(envelope.error_message).toContain(message);
    expect(result.content).toEqual([{ type: 'text', text: JSON.stringify(envelope) }]);
  });

  it('counts null as left out where the interface has None for a default, and says so in the schema', async () => {
    const session = await aSession(await aService());
    await session.call('memory_insert', { conversation_json: aNote('The gate is green.') });
    const asked = { question: 'Which colour is the gate?' };
    const answer = await session.call('memory_ask', { ...asked, max_context_tokens: null });
    expect(answer).toMatchObject({ status: 'ok', answer: expect.stringContaining('green') });
    expect(answer).toEqual({ ...(await session.call('memory_ask', asked)), request_id: answer.request_id });
    const { tools } = (await session.result('tools/list')) as { tools: { name: string; inputSchema: Body }[] };
    const nullable = tools.flatMap(({ name, inputSchema }) =>
      Object.entries((inputSchema.properties ?? {}) as Body)
        .filter(([, field]) => JSON.stringify(field).includes('"null"'))
        .map(([field]) => `${name}.${field}`),
    );
    expect(nullable).toEqual(['memory_ask.max_context_tokens']);
    // Everything else that is optional is left out, as the interface says of search.
    expect(await session.call('memory_ask', { ...asked, source: null })).toMatchObject({ error_code: 'invalid_input' });
  });

  it('counts a blank optional field as left out', async () => {
    const session = await aSession(await aService());
    await session.call('memory_insert', { conversation_json: aNote('The gate is green.') });
    for (const blank of ['', ' ', '\t\n']) {
      const given = { query: 'gate', source: blank, cursor: blank, thread_id: blank, memory_status: blank };
      const found = await session.call('memory_search', given);
      expect(found).toMatchObject({ status: 'ok', results: [{ text: 'The gate is green.' }] });
    }
    // What must be there is not there when it is blank.
    expect(await session.call('memory_search', { query: ' ' })).toMatchObject({ error_code: 'invalid_input' });
  });

  it('refuses another project, an unknown conversation, and page artifacts at any depth', async () => {
    const session = await aSession(await aService());
    expect(await session.call('memory_search', { query: 'x', project_id: 'other' })).toMatchObject({
      error_code: 'permission_denied',
      error_message: 'project access denied',
    });
    const id = '00000000-0000-4000-8000-000000000000';
    for (const tool of ['memory_retrieve', 'fetch', 'memory_pending_approve']) {
      expect(await session.call(tool, { id })).toMatchObject({ status: 'error', error_code: 'not_found' });
    }
    const conversation_json = aNote('x', { metadata: { capture: { raw_html: '<p>' } } });
    expect(await session.call('memory_insert', { conversation_json })).toMatchObject({ error_code: 'invalid_input' });
  });

  it('needs the scope of its operation', async () => {
    const { service } = await aService();
    const parts = { service, observer: service.observer, settings: { accessLogs: false, debugPayloads: false } };
    const principal = { ...localPrincipal, scopes: ['memory:read'] } as const;
    const context = { mcpReq: { signal: new AbortController().signal } };
    const request = { principal, context, tell: async () => {} } as unknown as McpRequest;
    const run = async (name: string, given: Body) => {
      const tool = memoryTools.find((each) => each.name === name);
      if (tool === undefined) throw new Error(`no tool ${name}`);
      return (await callTool(tool, parts, given, request)).structuredContent;
    };
    expect(await run('memory_insert', { conversation_json: aNote('x') })).toMatchObject({
      status: 'error',
      error_code: 'insufficient_scope',
      required_scope: 'memory:write',
    });
    expect(await run('memory_search', { query: 'x' })).toMatchObject({ status: 'ok' });
  });

  it('answers what was not foreseen with a fixed sentence and logs it with its stack', async () => {
    const service = await aService();
    service.service.records.conversations.visible = async () => {
      throw new Error('the disk is on fire');
    };
    const session = await aSession(service);
    const envelope = await session.call('memory_retrieve', { id: '00000000-0000-4000-8000-000000000000' });
    expect(envelope).toMatchObject({ status: 'error', error_code: 'internal_error', request_id: expect.any(String) });
    expect(JSON.stringify(envelope)).not.toContain('fire');
    const line = service.logLines.map((each) => JSON.parse(each)).find(({ event }) => event === 'mcp_tool_call');
    expect(line).toMatchObject({ level: 'error', tool: 'memory_retrieve', error: 'Error: the disk is on fire' });
    expect(line).toMatchObject({ stack: expect.stringContaining('at '), request_id: envelope.request_id });
  });
});

describe('a store that fails', () => {
  it('is in the log with its cause and its stack, whether calls are logged or not', async () => {
    const faults = createFaults();
    const service = await aService({ observability: { access_logs: false } }, { around: faults.around });
    const session = await aSession(service);
    const { id } = await session.call('memory_insert', { conversation_json: aNote('The heron stands still.') });
    faults.set({ on: 'metadata.*', fault: 'error' });
    const calls: [string, Body][] = [
      ['memory_insert', { conversation_json: aNote('Zanzibar') }],
      ['memory_search', { query: 'Zanzibar' }],
      ['memory_retrieve', { id }],
      ['memory_fact_search', { subject: 'Zanzibar' }],
    ];
    for (const [name, given] of calls) {
      expect(await session.call(name, given)).toMatchObject({ error_code: 'metadata_unavailable' });
    }
    const requests: [string, Body][] = [
      ['resources/read', { uri: `memory://conversation/${id}` }],
      [
        'completion/complete',
        { ref: { type: 'ref/resource', uri: 'memory://conversation/{id}' }, argument: { name: 'id', value: '' } },
      ],
    ];
    for (const [method, given] of requests) {
      expect(await session.request(method, given)).toMatchObject({ error: { code: -32603 } });
    }
    faults.clear();
    const lines = service.logLines.map((line) => JSON.parse(line) as Body);
    const told = lines.filter(({ event }) => event === 'mcp_tool_call' || event === 'mcp_request_failed');
    expect(told.map(({ tool, method }) => tool ?? method)).toEqual([...calls, ...requests].map(([name]) => name));
    for (const line of told) {
      expect(line).toMatchObject({
        level: 'error',
        error: expect.stringMatching(/^MemoryError: .+ < \w+: /),
        stack: expect.stringContaining('at '),
        request_id: expect.any(String),
      });
    }
    expect(service.logLines.join('\n')).not.toMatch(/zanzibar|heron/i);
  });

  it('is not in the log as an error when the caller was wrong', async () => {
    const service = await aService({ observability: { access_logs: false } });
    const session = await aSession(service);
    await session.call('memory_search', {});
    await session.request('resources/read', { uri: 'memory://conversation/none' });
    expect(service.logLines.filter((line) => /mcp_/.test(line))).toEqual([]);
  });
});

describe('what is reported about calls', () => {
  it('counts and times each by tool and outcome', async () => {
    const service = await aService();
    const session = await aSession(service);
    await session.call('memory_search', { query: 'x' });
    await session.call('memory_search', {});
    const { counters, histograms } = service.metrics.snapshot();
    const labels = [
      { tool: 'memory_search', status: 'ok', error_code: 'none' },
      { tool: 'memory_search', status: 'error', error_code: 'invalid_input' },
    ];
    const calls = counters.filter(({ name }) => name === 'memory_mcp_tool_calls_total');
    expect(calls.map((each) => each.labels)).toEqual(labels);
    const times = histograms.filter(({ name }) => name === 'memory_mcp_tool_duration_ms');
    expect(times.map((each) => [each.labels, each.count])).toEqual(
      labels.map(({ error_code: _, ...each }) => [each, 1]),
    );
  });

  it('puts no argument into the log, unless payloads are asked for', async () => {
    const quiet = await aService();
    await callEverything(quiet);
    expect(quiet.logLines.join('\n')).toContain('"event":"mcp_tool_call"');
    expect(quiet.logLines.join('\n')).not.toMatch(/zanzibar/i);
    const loud = await aService({ observability: { debug_payloads: true } });
    await callEverything(loud);
    expect(loud.logLines.join('\n')).toMatch(/mcp_payload.*zanzibar/i);
  });

  async function callEverything(service: Parameters<typeof aSession>[0]): Promise<void> {
    const session = await aSession(service);
    for (const { name } of memoryTools) {
      await session.call(name, { query: 'Zanzibar', id: 'Zanzibar', conversation_json: aNote('Zanzibar') });
      await session.call(name, { query: 'Zanzibar' });
      await session.call(name, { conversation_json: aNote('Zanzibar') });
    }
    await session.request('resources/read', { uri: 'memory://search/Zanzibar' });
    await session.request('zanzibar/list', {});
  }
});
