import type * as Library from '@redis/client';
import { StartupError } from '../../../../model/errors.js';
import { loadPackage } from '../../../shared/load-package.js';
import type { IndexShape, VectorDriver, VectorStore } from '../../contract.js';
import {
  inBatches,
  lastOfEach,
  matchesNothing,
  nearestComplete,
  requireDimension,
  requireShape,
  vectorsOf,
} from '../../shared/nearest.js';
import { bytesOf, type RedisIndex, type RedisSend, searchIndex, vectorSet } from './engines.js';

const needs = { package: '@redis/client', range: '6.3.1' };

/** Vectors in Redis: in an index of its query engine where the server has one, otherwise in a vector set. */
export const redis = {
  name: 'redis',
  persistent: true,
  distances: ['cosine', 'l2', 'inner_product'],
  needs,
  limits: 'vector sets (a server without the query engine) support cosine only; durable as the server is configured',
  create: ({ settings }) => createRedisStore(settings),
} as const satisfies VectorDriver<Settings>;

type Settings = { url: string; index: string; keyPrefix: string };

const POINTS_A_WRITE = 500;
const MOST_ROWS = 10_000;

type Client = Awaited<ReturnType<typeof connect>>;

interface Opened {
  index: RedisIndex;
  shape: IndexShape;
}

function createRedisStore({ url, index: name, keyPrefix: prefix }: Settings): VectorStore {
  let connection: Client | undefined;
  let opened: Opened | undefined;

  function current(): Opened {
    if (opened === undefined) throw new Error('The vector store is not open.');
    return opened;
  }

  return {
    async open(shape) {
      if (opened !== undefined) return requireShape(shape, opened.shape);
      const client = await connect(url);
      connection = client;
      const index = await indexOf((command) => client.sendCommand(command), { name, prefix });
      const found = await index.shape();
      // A store with a different shape stays open, so that `reset` can replace it.
      opened = { index, shape: { ...shape, ...found } };
      if (found !== undefined) return requireShape(shape, found);
      await index.create(shape);
    },

    async upsert(points) {
      const { index, shape } = current();
      requireDimension(shape, vectorsOf(points));
      // Commands sent together are pipelined and answered in order.
      for (const batch of inBatches(lastOfEach(points), POINTS_A_WRITE)) await Promise.all(batch.map(index.put));
    },

    async search(vector, { limit, where }) {
      const { index, shape } = current();
      requireDimension(shape, [vector]);
      if (matchesNothing({ limit, where })) return [];
      const { distance } = shape;
      const ask = await index.asker({ vector: bytesOf(vector), where, distance });
      return nearestComplete({ distance, limit, most: Math.max(limit, MOST_ROWS), ask });
    },

    async remove(ids) {
      const { index } = current();
      for (const batch of inBatches(ids, POINTS_A_WRITE)) await index.remove(batch);
    },

    async count() {
      return current().index.count();
    },

    async reset(shape) {
      const { index } = current();
      await index.drop();
      await index.create(shape);
      opened = { index, shape };
    },

    details: () => ({ index: opened?.index.kind ?? 'not open' }),

    async close() {
      connection?.destroy();
      connection = undefined;
      opened = undefined;
    },
  };
}

async function connect(url: string) {
  const { createClient } = await loadPackage<typeof Library>(needs);
  let connected = false;
  const client = createClient({
    url,
    RESP: 2,
    // While the server is down, a call fails at once instead of waiting in an unbounded queue.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: 10_000,
      reconnectStrategy: (attempt: number) => connected && Math.min(attempt * 100, 5_000),
    },
  });
  // The client reconnects by itself; calls made meanwhile fail.
  client.on('error', () => {});
  await client.connect();
  connected = true;
  return client;
}

async function indexOf(send: RedisSend, place: { name: string; prefix: string }): Promise<RedisIndex> {
  const known = (await send(['COMMAND', 'INFO', 'FT.SEARCH', 'VADD'])) as unknown[];
  if (isKnown(known[0])) return searchIndex(send, place);
  if (isKnown(known[1])) return vectorSet(send, place);
  throw new StartupError('driver_unavailable', 'This Redis server has neither the query engine nor vector sets.', {
    hint: 'Use Redis 8 or newer, or Redis Stack.',
  });
}

function isKnown(command: unknown): boolean {
  return Array.isArray(command) && command.length > 0;
}
