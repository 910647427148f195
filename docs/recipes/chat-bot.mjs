// A chat bot that remembers, with the AI SDK. Run it twice: `node chat-bot.mjs ./memory "My bicycle is blue."`, then
// `node chat-bot.mjs ./memory "What colour is my bicycle?"`. Put your own model in place of `scripted`.
//   npm install threadkeep ai
import { generateText, wrapLanguageModel } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { openMemory } from 'threadkeep';
import { memoryMiddleware } from 'threadkeep/ai-sdk';

const [folder = './memory', said = 'Hello'] = process.argv.slice(2);
const memory = await openMemory({ dataDir: folder });

/** Stands in for a model: it says which of the user's words the middleware put before the prompt. */
const scripted = new MockLanguageModelV4({
  async doGenerate({ prompt }) {
    const recalled = prompt.filter(({ role }) => role === 'system').map(({ content }) => content);
    const text = recalled.length === 0 ? 'Tell me more.' : `I remember this.\n${recalled.join('\n')}`;
    return {
      content: [{ type: 'text', text }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: {
        inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 1, text: 1, reasoning: 0 },
      },
      warnings: [],
    };
  },
});

// The middleware searches the memory before each call of the model and saves the exchange after it.
const model = wrapLanguageModel({ model: scripted, middleware: memoryMiddleware(memory, { thread_id: 'chat-bot' }) });
const { text } = await generateText({ model, prompt: said });
process.stdout.write(`${text}\n`);
await memory.close();
