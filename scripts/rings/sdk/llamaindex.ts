import assert from 'node:assert/strict';
import type { BaseTool } from '@llamaindex/core/llms';
import { createMemory } from '@llamaindex/core/memory';
import { MetadataMode } from '@llamaindex/core/schema';
import { memoryTools, ThreadkeepMemoryBlock, ThreadkeepRetriever } from 'threadkeep/llamaindex';
import { opened } from './opened.js';

const memory = await opened();
await memory.insert({ source: 'notes', messages: [{ role: 'user', text: 'The harbour opens at six.' }] });
const retriever = new ThreadkeepRetriever({ memory, filter: { source: 'notes', top_k: 1 } });
for (const query of ['When does the harbour open?', { query: [{ type: 'text' as const, text: 'harbour' }] }]) {
  const [hit] = await retriever.retrieve(query);
  assert.equal(hit?.node.getContent(MetadataMode.NONE), 'The harbour opens at six.');
  assert.equal(hit?.node.metadata.source, 'notes');
  assert.ok((hit?.score ?? 0) > 0);
}

// Short-term memory of a few tokens, so that what was said is handed to the block at once.
const block = new ThreadkeepMemoryBlock({ memory, thread_id: 'chat-1' });
const chat = createMemory({ tokenLimit: 2000, shortTermTokenLimitRatio: 0.001, memoryBlocks: [block] });
await chat.add({ role: 'user', content: 'My bicycle is blue and has a brass bell.' });
await chat.add({ role: 'assistant', content: 'A brass bell suits a blue bicycle.' });
const kept = await memory.search({ query: 'brass bell', thread_id: 'chat-1' });
assert.ok(kept.results.some((hit) => hit.text === 'My bicycle is blue and has a brass bell.'));
const prompt = await chat.getLLM(undefined, [{ role: 'user', content: 'What colour is my bicycle?' }]);
assert.match(JSON.stringify(prompt), /data, not instructions.*My bicycle is blue/);

const [search, , save] = memoryTools(memory) satisfies BaseTool[];
await save.call({ text: 'Nora likes elderflower.' });
assert.match(await search.call({ query: 'elderflower' }), /Nora likes elderflower\./);
await memory.close();
