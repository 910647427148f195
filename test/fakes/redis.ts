import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { Distance } from '../../src/stores/vector/contract.js';
import { type ExactIndex, exactIndex, type Row } from './exact-index.js';
import type { Wire } from './wire.js';

const metrics: Record<string, Distance> = { COSINE: 'cosine', L2: 'l2', IP: 'inner_product' };
const tagFields = ['id', 'scope', 'conversation_id'];

interface Index {
  prefix: string;
  metric: string;
  rows: ExactIndex;
}

type Reply = string | number | null | Error | Reply[];

/** A Redis server with the query engine, for the few commands the driver needs. */
export async function startRedisWithSearch(): Promise<Wire> {
  const indexes = new Map<string, Index>();
  const complaints: string[] = [];
  const sockets = new Set<Socket>();
  let failing = false;

  const server = createServer((socket) => {
    sockets.add(socket);
    let received = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('data', (data) => {
      received = Buffer.concat([received, data]);
      for (let read = commandAt(received); read !== undefined; read = commandAt(received)) {
        received = received.subarray(read.end);
        socket.write(encode(guarded(read.words)));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `redis://127.0.0.1:${port}/0`,
    port,
    complaints,
    failSoon: () => {
      failing = true;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  function guarded(words: Buffer[]): Reply {
    try {
      return answer(words);
    } catch (error) {
      complaints.push(`${words[0]?.toString()}: ${String(error)}`);
      return new Error('ERR the stand-in does not know this command');
    }
  }

  function answer(words: Buffer[]): Reply {
    const [name = '', ...rest] = words.map((word) => word.toString('utf8'));
    switch (name.toUpperCase()) {
      case 'CLIENT':
      case 'SELECT':
        return 'OK';
      case 'COMMAND':
        return rest.slice(1).map((command) => (command === 'FT.SEARCH' ? ['ft.search', -1] : null));
      case 'FT._LIST':
        return [...indexes.keys()];
      case 'FT.CREATE':
        return create(rest);
      case 'FT.INFO':
        return info(indexOf(rest[0]));
      case 'FT.DROPINDEX':
        if (rest[1] !== 'DD') throw new Error('the documents would stay');
        indexes.delete(rest[0] ?? '');
        return 'OK';
      case 'HSET':
        return put(words);
      case 'DEL':
        for (const { prefix, rows } of indexes.values()) {
          for (const key of rest) if (key.startsWith(prefix)) rows.rows.delete(key.slice(prefix.length));
        }
        return 1;
      case 'FT.SEARCH':
        return search(indexOf(rest[0]), rest, words);
      default:
        throw new Error('unknown command');
    }
  }

  function indexOf(name = ''): Index {
    const index = indexes.get(name);
    if (index === undefined) throw new Error('no such index');
    return index;
  }

  function create([name = '', ...words]: string[]): Reply {
    const tags = tagFields.map((field) => `${field} TAG CASESENSITIVE`).join(' ');
    const vector = 'vector VECTOR HNSW 6 TYPE FLOAT32 DIM (\\d+) DISTANCE_METRIC (COSINE|L2|IP)';
    const known = new RegExp(`^ON HASH PREFIX 1 (\\S+) SCHEMA ${tags} ${vector}$`).exec(words.join(' '));
    if (known === null) throw new Error('an unknown schema');
    const [, prefix = '', dimension, metric = ''] = known;
    indexes.set(name, { prefix, metric, rows: exactIndex({ dimension: Number(dimension) }) });
    return 'OK';
  }

  function put(words: Buffer[]): Reply {
    const key = String(words[1]);
    const fields = Object.fromEntries([2, 4, 6].map((at) => [String(words[at]), String(words[at + 1])]));
    if (String(words[8]) !== 'vector' || words.length !== 10) throw new Error('an unknown hash');
    const bytes = Uint8Array.from(words[9] ?? []);
    const index = [...indexes.values()].find(({ prefix }) => key.startsWith(prefix));
    if (index === undefined) throw new Error('a key of no index');
    index.rows.put({ id: key.slice(index.prefix.length), vector: [...new Float32Array(bytes.buffer)], fields });
    if (!failing) return 4;
    failing = false;
    return new Error('ERR broken on purpose');
  }
}

function info({ metric, rows }: Index): Reply {
  const tag = (name: string) => ['identifier', name, 'attribute', name, 'type', 'TAG', 'SEPARATOR', ','];
  const vector = ['identifier', 'vector', 'attribute', 'vector', 'type', 'VECTOR', 'algorithm', 'HNSW'];
  const shape = ['data_type', 'FLOAT32', 'dim', rows.dimension, 'distance_metric', metric];
  return ['index_name', 'vectors', 'attributes', [...tagFields.map(tag), [...vector, ...shape]], 'num_docs', '0'];
}

function search(index: Index, rest: string[], words: Buffer[]): Reply {
  const [, query = '', ...options] = rest;
  if (query === '*' || !query.startsWith('(')) {
    if (options.join(' ') !== 'LIMIT 0 0 DIALECT 2') throw new Error('unknown options');
    return [[...index.rows.rows.values()].filter(tagsOf(query)).length];
  }
  const known = /^\((.+)\)=>\[KNN \$rows @vector \$vector(?: HYBRID_POLICY ADHOC_BF)? AS distance\]$/.exec(query);
  if (known === null) throw new Error('an unknown query');
  const rows = options[3] ?? '';
  const expected = `PARAMS 4 rows ${rows} vector * SORTBY distance ASC LIMIT 0 ${rows} RETURN 1 distance DIALECT 2`;
  if (options.with(5, '*').join(' ') !== expected) throw new Error('unknown options');
  const bytes = Uint8Array.from(words[8] ?? []);
  const found = index.rows.nearest({
    vector: [...new Float32Array(bytes.buffer)],
    distance: metrics[index.metric] ?? 'cosine',
    limit: Number(rows),
    matches: tagsOf(known[1] ?? ''),
  });
  const hits = found.flatMap(({ row, cosine, dot, squared }): Reply[] => {
    const distance = { COSINE: 1 - cosine, L2: squared, IP: 1 - dot }[index.metric] ?? 0;
    return [index.prefix + row.id, ['distance', String(distance)]];
  });
  return [found.length, ...hits];
}

function tagsOf(filter: string): (row: Row) => boolean {
  if (filter === '*') return () => true;
  const parts = filter.split(' ').map((part) => {
    const [, field = '', list = ''] = /^@(id|scope|conversation_id):\{([0-9a-f|]+)\}$/.exec(part) ?? [];
    if (field === '') throw new Error(`an unknown filter: ${part}`);
    return { field, wanted: new Set(list.split('|')) };
  });
  return (row) => parts.every(({ field, wanted }) => wanted.has(String(row.fields[field])));
}

/** One whole command, or nothing while parts of it are still on the way. */
function commandAt(bytes: Buffer): { words: Buffer[]; end: number } | undefined {
  let at = 0;
  const number = (sign: string): number | undefined => {
    const end = bytes.indexOf('\r\n', at);
    if (end === -1) return undefined;
    if (String.fromCharCode(bytes[at] ?? 0) !== sign) throw new Error('not a command');
    const value = Number(bytes.toString('latin1', at + 1, end));
    at = end + 2;
    return value;
  };
  const count = number('*');
  if (count === undefined) return undefined;
  const words: Buffer[] = [];
  for (let i = 0; i < count; i++) {
    const size = number('$');
    if (size === undefined || bytes.length < at + size + 2) return undefined;
    words.push(bytes.subarray(at, at + size));
    at += size + 2;
  }
  return { words, end: at };
}

function encode(reply: Reply): string {
  if (reply === null) return '*-1\r\n';
  if (reply instanceof Error) return `-${reply.message}\r\n`;
  if (typeof reply === 'number') return `:${reply}\r\n`;
  if (typeof reply === 'string') return `$${Buffer.byteLength(reply)}\r\n${reply}\r\n`;
  return `*${reply.length}\r\n${reply.map(encode).join('')}`;
}
