import { StartupError } from '../../../../model/errors.js';
import type { Where } from '../../contract.js';
import { SCAN_ROWS } from '../../shared/complete.js';
import { opaque, opaqueList } from '../../shared/opaque.js';
import { bytesOf, type RedisIndex, type RedisSend } from './contract.js';

/** Vector sets came first with these commands; without the scan their graph alone would answer. */
const GRAPH = ['M', '32', 'EF', '400'];
const EXPLORATION = 1_000;

/** One vector set for all points, and a hash beside it that says its shape. */
export function vectorSet(send: RedisSend, { name, prefix }: { name: string; prefix: string }): RedisIndex {
  const key = `${prefix}${name}`;
  const shapeKey = `${key}:shape`;

  return {
    kind: 'vector set',

    async shape() {
      const [dimension, distance] = (await send(['HMGET', shapeKey, 'dimension', 'distance'])) as (string | null)[];
      if (dimension === null || dimension === undefined || distance !== 'cosine') return undefined;
      return { dimension: Number(dimension), distance };
    },

    async create({ dimension, distance }) {
      if (distance !== 'cosine') {
        throw new StartupError('driver_unavailable', `Vector sets of Redis do not measure ${distance}.`, {
          hint: 'Set storage.vector.distance to cosine, or use a Redis server with the query engine.',
        });
      }
      await send(['HSET', shapeKey, 'dimension', String(dimension), 'distance', distance]);
    },

    put: ({ id, scope, conversationId, vector }) => {
      const attributes = { id, scope: opaque(scope), conversation_id: opaque(conversationId) };
      const options = ['NOQUANT', ...GRAPH, 'SETATTR', JSON.stringify(attributes)];
      return send(['VADD', key, 'FP32', bytesOf(vector), id, ...options]);
    },

    async asker({ vector, where }) {
      const narrow = where.ids !== undefined || where.conversationIds !== undefined;
      const scan = narrow || Number(await send(['VCARD', key])) < SCAN_ROWS;
      const filter = ['FILTER', filterOf(where)];
      return async (rows) => {
        // A filter effort of zero goes on until there are enough, through however many rows of others.
        const effort = scan ? ['TRUTH'] : ['EF', String(Math.max(rows, EXPLORATION)), 'FILTER-EF', '0'];
        const count = ['WITHSCORES', 'COUNT', String(rows)];
        const answer = (await send(['VSIM', key, 'FP32', vector, ...count, ...filter, ...effort])) as string[];
        return Array.from({ length: answer.length / 2 }, (_, i) => ({
          id: String(answer[2 * i]),
          distance: 2 * (1 - Number(answer[2 * i + 1])), // the score is (1 + cos) / 2
        }));
      };
    },

    remove: (ids) => Promise.all(ids.map((id) => send(['VREM', key, id]))),
    count: async () => Number(await send(['VCARD', key])),

    async drop() {
      await send(['DEL', key, shapeKey]);
    },
  };
}

function filterOf({ scopes, conversationIds, ids }: Where): string {
  const isOneOf = (field: string, texts: readonly string[]) => `.${field} in ${JSON.stringify(texts)}`;
  return [
    isOneOf('scope', opaqueList(scopes)),
    ...(conversationIds ? [isOneOf('conversation_id', opaqueList(conversationIds))] : []),
    ...(ids ? [isOneOf('id', ids)] : []),
  ].join(' and ');
}
