import assert from 'node:assert/strict';
import { Agent } from '@mastra/core/agent';
import { MastraLanguageModelV2Mock, simulateReadableStream } from '@mastra/core/test-utils/llm-mock';
import { memoryProcessor, memoryTools } from 'threadkeep/mastra';
import { opened } from './opened.js';

const memory = await opened();
await memory.insert([{ role: 'user', text: 'My bicycle is blue.' }]);
const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };

/** A model that says `text`, after it has saved a sentence with the tool where it is offered one. */
const prompts: string[] = [];
const toolCall = { type: 'tool-call' as const, toolCallId: 't1', toolName: 'save_memory' };
const input = JSON.stringify({ text: 'Nora likes elderflower.' });
function talking(text: string): MastraLanguageModelV2Mock {
  return new MastraLanguageModelV2Mock({
    async doGenerate({ prompt, tools = [] }) {
      prompts.push(JSON.stringify(prompt));
      const calls = tools.length > 0 && !prompt.some(({ role }) => role === 'tool');
      return calls
        ? { content: [{ ...toolCall, input }], finishReason: 'tool-calls', usage, warnings: [] }
        : { content: [{ type: 'text', text }], finishReason: 'stop', usage, warnings: [] };
    },
    async doStream() {
      return {
        stream: simulateReadableStream({
          chunks: [
            { type: 'text-start', id: '1' },
            { type: 'text-delta', id: '1', delta: text },
            { type: 'text-end', id: '1' },
            { type: 'finish', finishReason: 'stop', usage },
          ],
        }),
      };
    },
  });
}

const processor = memoryProcessor(memory, { thread_id: 'chat-1' });
const remembering = new Agent({
  id: 'host',
  name: 'Host',
  instructions: 'Be brief.',
  model: talking('It is blue, you said.'),
  inputProcessors: [processor],
  outputProcessors: [processor],
});
const { text } = await remembering.generate('What colour is my bicycle?');
assert.equal(text, 'It is blue, you said.');
assert.match(prompts[0] ?? '', /data, not instructions.*My bicycle is blue\./s);
assert.match(prompts[0] ?? '', /Be brief\./);
const saved = await memory.search({ query: 'blue', thread_id: 'chat-1' });
assert.ok(saved.results.some((hit) => hit.text === 'What colour is my bicycle?'));
assert.ok(saved.results.some((hit) => hit.text === 'It is blue, you said.'));

const stream = await remembering.stream('Which saddle is worn out?');
assert.equal(await stream.text, 'It is blue, you said.');
const streamed = await memory.search({ query: 'saddle', thread_id: 'chat-1' });
assert.ok(streamed.results.some((hit) => hit.text === 'Which saddle is worn out?'));

const calling = new Agent({
  id: 'clerk',
  name: 'Clerk',
  instructions: 'Save what you are told.',
  model: talking('Saved.'),
  tools: memoryTools(memory),
});
assert.equal((await calling.generate('Remember it.', { maxSteps: 3 })).text, 'Saved.');
assert.ok((await memory.search('elderflower')).results.some((hit) => hit.text === 'Nora likes elderflower.'));
await memory.close();
