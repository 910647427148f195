import { expect, it } from 'vitest';
import { aConversation, aNote, invented } from '../support/conversation.js';
import { aService } from '../support/service.js';
it.each(['memory','lancedb'] as const)('works %s', async (vector_db) => {
  const s = await aService({ providers: { vector_db } });
  console.log(await s.request('/memory/insert', aConversation()));
  console.log(JSON.stringify((await s.request('/memory/search', { query: 'bicycle' })).body));
  let t = performance.now();
  await Promise.all(Array.from({length: 500}, (_, i) => s.insert(aNote(invented(i)))));
  console.log(vector_db, '500 concurrent', performance.now() - t);
  t = performance.now();
  for (let i=0;i<50;i++) await s.insert(aNote(invented(i+1000)));
  console.log(vector_db, '50 sequential', performance.now() - t);
  t = performance.now();
  for (let i=0;i<50;i++) await s.search({query: invented(i)});
  console.log(vector_db, '50 searches', performance.now() - t);
  console.log(s.logLines.length);
  expect(1).toBe(1);
});
