import assert from 'node:assert/strict';
import { generateText, simulateReadableStream, stepCountIs, streamText, wrapLanguageModel } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { memoryMiddleware, memoryTools } from 'threadkeep/ai-sdk';
import { opened } from './opened.js';

const memory = await opened();
await memory.insert([{ role: 'user', text: 'My bicycle is blue.' }]);
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const stop = { unified: 'stop', raw: 'stop' } as const;

const prompts: string[] = [];
const talking = new MockLanguageModelV4({
  async doGenerate({ prompt }) {
    prompts.push(JSON.stringify(prompt));
    return { content: [{ type: 'text', text: 'It is blue, you said.' }], finishReason: stop, usage, warnings: [] };
  },
  async doStream() {
    return {
      stream: simulateReadableStream({
        chunks: [
          { type: 'text-start', id: '1' },
          { type: 'text-delta', id: '1', delta: 'A kingfisher ' },
          { type: 'text-delta', id: '1', delta: 'by the weir.' },
          { type: 'text-end', id: '1' },
          { type: 'finish', finishReason: stop, usage },
        ],
      }),
    };
  },
});
const model = wrapLanguageModel({ model: talking, middleware: memoryMiddleware(memory, { thread_id: 'chat-1' }) });
await generateText({ model, prompt: 'What colour is my bicycle?' });
assert.match(prompts[0] ?? '', /data, not instructions.*My bicycle is blue\./s);
const saved = await memory.search({ query: 'blue', thread_id: 'chat-1' });
assert.ok(saved.results.some((hit) => hit.text === 'It is blue, you said.'));

const stream = streamText({ model, prompt: 'Which bird did we see?' });
assert.equal(await stream.text, 'A kingfisher by the weir.');
assert.ok((await memory.search('kingfisher')).results.some((hit) => hit.text === 'A kingfisher by the weir.'));

const calling = new MockLanguageModelV4({
  async doGenerate({ prompt }) {
    const input = JSON.stringify({ text: 'Nora likes elderflower.' });
    const done = prompt.some(({ role }) => role === 'tool');
    return done
      ? { content: [{ type: 'text', text: 'Saved.' }], finishReason: stop, usage, warnings: [] }
      : {
          content: [{ type: 'tool-call', toolCallId: 't1', toolName: 'save_memory', input }],
          finishReason: { unified: 'tool-calls', raw: 'tool-calls' } as const,
          usage,
          warnings: [],
        };
  },
});
const tools = memoryTools(memory);
const { text } = await generateText({ model: calling, tools, stopWhen: stepCountIs(3), prompt: 'Remember it.' });
assert.equal(text, 'Saved.');
assert.ok((await memory.search('elderflower')).results.some((hit) => hit.text === 'Nora likes elderflower.'));
await memory.close();
