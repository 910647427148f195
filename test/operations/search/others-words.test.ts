import { expect, test } from 'vitest';
import { aNote } from '../../support/conversation.js';
import { aService, memberOf } from '../../support/service.js';

/** Issue 19: the rarity of a word was counted over all users, so that a score told whether others hold it. */
test('what others hold changes neither the order nor the explanation of a search', async () => {
  const service = await aService();
  const [mia, abe] = [memberOf('mia'), memberOf('abe')];
  const words = ['heron', 'kestrel', 'plover', 'dunlin', 'curlew', 'godwit'];
  for (const [index, word] of words.entries()) {
    await service.insert(aNote(`I saw a ${word} by the ${words[(index + 1) % 6]} pond.`), mia);
  }
  const ask = { query: 'heron kestrel merger', top_k: 6, explain: true, include_messages: false };
  const before = await service.search(ask, mia);
  expect(before.results.length).toBeGreaterThan(1);
  for (let index = 0; index < 30; index++) {
    await service.insert(aNote(`The merger number ${index} is secret, says the heron of the kestrel.`), abe);
  }
  const shown = ({ results }: typeof before) =>
    results.map((item) => ({ id: item.id, explanation: rounded(item.explanation ?? {}) }));
  expect(shown(await service.search(ask, mia))).toEqual(shown(before));
});

function rounded(shares: Record<string, number>): Record<string, string> {
  return Object.fromEntries(Object.entries(shares).map(([name, share]) => [name, share.toFixed(6)]));
}
