// One of several processes that write, replace, remove and maintain in the same folder.
// Arguments: the folder, a number that no other process has. Prints how many points it leaves behind.
import { lancedb } from '../../../dist/stores/vector/drivers/lancedb/lancedb.js';

const [path, number] = process.argv.slice(2);
const store = lancedb.create({ settings: {}, path });
await store.open({ dimension: 8, distance: 'cosine' });

const point = (index, value) => ({
  id: `00000000-0000-4000-8000-${number.padStart(4, '0')}${String(index).padStart(8, '0')}`,
  vector: Float32Array.from({ length: 8 }, (_, i) => value + i),
  scope: `user:${number}`,
  conversationId: 'conversation-1',
});

for (let round = 0; round < 25; round++) {
  const points = Array.from({ length: 10 }, (_, i) => point(round * 10 + i, round));
  await store.upsert(points, { fresh: true });
  await Promise.all([
    store.upsert(points.slice(0, 5).map(({ id, ...rest }) => ({ id, ...rest, conversationId: 'replaced' }))),
    store.remove([points[9].id]),
    round % 5 === 0 ? store.maintain() : undefined,
  ]);
}
await store.close();
process.stdout.write(String(25 * 9));
