import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OlderStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OlderHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aFolder, program } from '../cli/threadkeep.js';
import { aNote } from '../support/conversation.js';
import { aServer } from '../support/server.js';
import type { Body } from '../support/service.js';

/** What the two generations of the official client have in common. */
interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(request: { name: string; arguments: Body }): Promise<Body>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  readResource(request: { uri: string }): Promise<Body>;
  listPrompts(): Promise<{ prompts: { name: string }[] }>;
  getPrompt(request: { name: string; arguments: Record<string, string> }): Promise<Body>;
  close(): Promise<void>;
}

const info = { name: 'test', version: '1' };

/** The environment of the test run without our own settings, and with a memory in `folder`. */
function environment(folder: string): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('THREADKEEP_'));
  const places = { THREADKEEP_PATHS__DATA_DIR: `${folder}/data`, THREADKEEP_PATHS__LOGS_DIR: `${folder}/logs` };
  // As over HTTP: what is tried here is the protocol, and loading the models takes longer than all the calls.
  const models = Object.fromEntries(
    ['READER', 'TAGGER', 'DEEP_INDEX'].map((name) => [`THREADKEEP_MODELS__${name}`, 'false']),
  );
  const own = { ...places, ...models, XDG_CONFIG_HOME: `${folder}/.config` };
  return { ...(Object.fromEntries(kept) as Record<string, string>), ...own };
}

async function overStdio() {
  const args = [program, 'mcp'];
  const cwd = await aFolder();
  return { command: process.execPath, args, cwd, env: environment(cwd), stderr: 'ignore' as const };
}

async function address(): Promise<URL> {
  return new URL('/mcp', (await aServer()).url);
}

async function newer(mode: 'legacy' | 'auto', transport: object) {
  const client = new Client(info, { versionNegotiation: { mode } });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return client as unknown as AnyClient;
}

async function older(transport: object) {
  const client = new OlderClient(info);
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return client as unknown as AnyClient;
}

const connections: [name: string, connect: () => Promise<AnyClient>][] = [
  ['the first SDK over HTTP', async () => older(new OlderHttp(await address()))],
  ['the first SDK over stdio', async () => older(new OlderStdio(await overStdio()))],
  ['the second SDK in a session', async () => newer('legacy', new StreamableHTTPClientTransport(await address()))],
  ['the second SDK without one', async () => newer('auto', new StreamableHTTPClientTransport(await address()))],
  ['the second SDK over stdio', async () => newer('legacy', new StdioClientTransport(await overStdio()))],
  ['the second SDK over stdio, newest era', async () => newer('auto', new StdioClientTransport(await overStdio()))],
];

describe.each(connections)('%s', (_, connect) => {
  it('lists and calls every tool, reads resources and gets prompts', { timeout: 120_000 }, async () => {
    const client = await connect();
    onTestFinished(() => client.close());
    const call = async (name: string, given: Body) =>
      (await client.callTool({ name, arguments: given })).structuredContent as Body;

    // The clients check each answer against the tool's output schema themselves.
    const { tools } = await client.listTools();
    const conversation_json = aNote('The heron stands in the reeds.', { title: 'Heron' });
    const stored = await call('memory_insert', { conversation_json });
    expect(stored).toMatchObject({ status: 'ok', deduplicated: false });
    const id = stored.id as string;
    const given: Record<string, Body> = {
      memory_insert: { conversation_json },
      memory_validate: { conversation_json },
      memory_search: { query: 'heron', result_mode: 'conversations' },
      memory_retrieve: { id },
      memory_context: { id, message_index: 0 },
      memory_ask: { question: 'Where does the heron stand?' },
      memory_fact_search: { subject: 'user' },
      memory_profile_get: {},
      memory_people: {},
      memory_fact_supersede: { fact_id: 'fact_a', superseded_by: 'fact_b' },
      memory_fact_add: { predicate: 'owns_boat', value: 'a dinghy' },
      memory_fact_correct: { fact_id: 'fact_a', value: 'a canoe' },
      memory_fact_retract: { fact_id: 'fact_a' },
      memory_fact_pin: { fact_id: 'fact_a' },
      memory_fact_unpin: { fact_id: 'fact_a' },
      memory_fact_undo: { fact_id: 'fact_a' },
      memory_project_list: {},
      memory_project_default_get: {},
      memory_project_get: { project_id: 'local-default' },
      search: { query: 'heron' },
      fetch: { id },
    };
    for (const { name } of tools) {
      const answer = await call(name, given[name] ?? { id });
      // Nothing waits for review here and there are no such facts; the tools that decide say so.
      const decides = name.startsWith('memory_pending') || given[name]?.fact_id === 'fact_a';
      const status = decides ? 'error' : 'ok';
      expect({ name, status: answer.status }).toEqual({ name, status });
    }
    expect(await call('memory_search', { query: 'heron', top_k: 1 })).toMatchObject({ results: [{ id }] });

    expect((await client.listResources()).resources.map(({ uri }) => uri)).toContain('memory://health');
    const { contents } = await client.readResource({ uri: `memory://conversation/${id}` });
    expect(contents).toMatchObject([{ mimeType: 'application/json', text: expect.stringContaining('in the reeds') }]);
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toContain('search_memory');
    expect(await client.getPrompt({ name: 'search_memory', arguments: { query: 'heron' } })).toMatchObject({
      messages: [{ role: 'user', content: { type: 'text', text: expect.stringContaining('query="heron"') } }],
    });
  });
});
