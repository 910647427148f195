import { expect, it } from 'vitest';
import { wholeMessages } from '../../../src/operations/search/present.js';
import type { ConversationItem } from '../../../src/operations/search/shapes.js';
import { aNote, turns } from '../../support/conversation.js';
import { aService } from '../../support/service.js';

it('an answer shows whole messages while there is room, and the best hit always', async () => {
  const { insert, service } = await aService();
  const { id: long } = await insert(aNote('long '.repeat(20)));
  const { id: short } = await insert(aNote('short'));
  const shown = await wholeMessages(service, [long, short, long, short], { most: 105 });
  expect(shown.map((messages) => messages?.length)).toEqual([1, 1, undefined, undefined]);
  const first = await wholeMessages(service, [long, short], { most: 5 });
  expect(first.map((messages) => messages?.length)).toEqual([1, undefined]);
});

it('many hits of one long conversation fit into an answer that reports what is left out', async () => {
  const service = await aService();
  const texts = Array.from({ length: 40 }, (_, number) => `Zebra ${number} ${'walks on and on '.repeat(2_000)}`);
  await service.insert({ source: 'chatgpt', messages: turns(...texts) });
  const { body } = await service.request('/memory/search', { query: 'zebra walks', top_k: 40 });
  const conversations = (body.results as ConversationItem[]).map(({ conversation }) => conversation);
  expect(conversations[0]?.messages).toHaveLength(40);
  const omitted = conversations.filter(({ messages_omitted }) => messages_omitted === true);
  expect(omitted.length).toBeGreaterThan(10);
  expect(omitted.every(({ messages }) => messages === undefined)).toBe(true);
  expect(JSON.stringify(body).length).toBeLessThan(25_000_000);
});
