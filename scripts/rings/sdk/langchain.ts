import assert from 'node:assert/strict';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { RunnableLambda } from '@langchain/core/runnables';
import { ThreadkeepChatMessageHistory, ThreadkeepRetriever } from 'threadkeep/langchain';
import { opened } from './opened.js';

const memory = await opened();
await memory.insert({ source: 'notes', messages: [{ role: 'user', text: 'The harbour opens at six.' }] });
const retriever = new ThreadkeepRetriever({ memory, filter: { source: 'notes', top_k: 1 } });
const chain = retriever.pipe(RunnableLambda.from((documents) => documents.map((each) => each.pageContent).join('\n')));
assert.equal(await chain.invoke('When does the harbour open?'), 'The harbour opens at six.');
const [document] = await retriever.invoke('harbour');
assert.equal(document?.metadata.source, 'notes');

const history = new ThreadkeepChatMessageHistory({ memory, sessionId: 's1' });
const call = { id: 'c1', name: 'clock', args: {}, type: 'tool_call' as const };
await history.addMessages([
  new HumanMessage('ok'),
  new AIMessage({ content: '', tool_calls: [call] }),
  new ToolMessage({ content: '12:00', tool_call_id: 'c1' }),
]);
await history.addMessage(new HumanMessage('ok'));
await history.addMessage(new HumanMessage('ok'));
const again = new ThreadkeepChatMessageHistory({ memory, sessionId: 's1' });
const messages = await again.getMessages();
assert.deepEqual(
  messages.map((message) => message.getType()),
  ['human', 'ai', 'tool', 'human', 'human'],
);
assert.deepEqual(
  (messages[1] as AIMessage).tool_calls?.map(({ name }) => name),
  ['clock'],
);
assert.deepEqual(await new ThreadkeepChatMessageHistory({ memory, sessionId: 's2' }).getMessages(), []);
await again.clear();
assert.deepEqual(await history.getMessages(), []);
await memory.close();
