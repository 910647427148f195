import assert from 'node:assert/strict';
import { Agent, type AgentInputItem, type Model, type ModelRequest, Runner, Usage } from '@openai/agents';
import { memorySession, memoryTools } from 'threadkeep/openai-agents';
import { opened } from './opened.js';

const memory = await opened();
await memory.insert([{ role: 'user', text: 'The wifi password of the cabin is under the lamp.' }]);

/** A model that calls the tool once and then answers with what it returned. */
const seen: ModelRequest[] = [];
const scripted: Model = {
  async getResponse(request) {
    seen.push(request);
    const input = typeof request.input === 'string' ? [] : request.input;
    const result = input.findLast((item) => item.type === 'function_call_result');
    const asked = JSON.stringify({ query: 'cabin wifi' });
    return {
      usage: new Usage(),
      output:
        result === undefined
          ? [{ type: 'function_call', callId: 'c1', name: 'search_memory', status: 'completed', arguments: asked }]
          : [
              {
                type: 'message',
                role: 'assistant',
                status: 'completed',
                content: [{ type: 'output_text', text: JSON.stringify(result.output) }],
              },
            ],
    };
  },
  getStreamedResponse() {
    throw new Error('not used');
  },
};

const session = memorySession<AgentInputItem>(memory, { sessionId: 'cabin' });
const agent = new Agent({ name: 'Host', model: scripted, tools: memoryTools(memory) });
const runner = new Runner({ tracingDisabled: true });
const first = await runner.run(agent, 'Where is the wifi password?', { session });
assert.match(String(first.finalOutput), /under the lamp/);
const items = await session.getItems();
assert.deepEqual(
  items.map((item) => item.type ?? 'message'),
  ['message', 'function_call', 'function_call_result', 'message'],
);
await runner.run(agent, 'Where is the wifi password?', { session });
const before = await session.getItems();
assert.ok(before.length > items.length, 'the same question again is another turn of the session');
assert.deepEqual(await session.popItem(), before.at(-1));
assert.deepEqual(await session.getItems(2), before.slice(-3, -1));
await session.clearSession();
assert.deepEqual(await session.getItems(), []);
assert.ok((await memory.search('wifi password')).results.length > 0);
assert.ok(seen.length >= 3);
await memory.close();
