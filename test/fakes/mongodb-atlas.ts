import type { Binary, Document } from 'mongodb';
import { z } from 'zod';
import { type ExactIndex, exactIndex, type Row } from './exact-index.js';
import { cursor, limits, serveMongo } from './mongodb-wire.js';
import type { Wire } from './wire.js';

const filterValue = z.union([
  z.string(),
  z.strictObject({ $in: z.array(z.string()) }),
  z.strictObject({ $ne: z.string() }),
]);
const fields = ['point', 'scope', 'conversation_id', 'write'];
const definition = z.strictObject({
  fields: z.tuple(
    [
      z.strictObject({
        type: z.literal('vector'),
        path: z.literal('vector'),
        numDimensions: z.int(),
        similarity: z.enum(['cosine', 'euclidean']),
      }),
    ],
    z.strictObject({ type: z.literal('filter'), path: z.enum(['point', 'scope', 'conversation_id', 'write']) }),
  ),
});
const vectorSearch = z
  .strictObject({
    index: z.string(),
    path: z.literal('vector'),
    queryVector: z.unknown(),
    limit: z.int().positive().max(10_000),
    filter: z.partialRecord(z.enum(['point', 'scope', 'conversation_id', 'write']), filterValue),
    exact: z.literal(true).optional(),
    numCandidates: z.int().max(10_000).optional(),
  })
  .refine(({ exact, numCandidates, limit }) => (exact === undefined) === (numCandidates ?? 0) >= limit);

interface Collection {
  documents: Map<string, Document>;
  search?: { name: string; definition: z.output<typeof definition>; index: ExactIndex; looks: number };
}

/** A MongoDB server with Atlas's vector search, speaking the wire protocol for the few commands the driver needs. */
export async function startAtlas(): Promise<Wire> {
  const collections = new Map<string, Collection>();
  let failing = false;
  const wire = await serveMongo(answer);
  return {
    ...wire,
    url: `mongodb://127.0.0.1:${wire.port}/?directConnection=true`,
    failSoon: () => {
      failing = true;
    },
  };

  function answer(command: Document): Document {
    const [name = ''] = Object.keys(command);
    const target = String(command[name]);
    switch (name) {
      case 'hello':
      case 'ismaster':
        return { isWritablePrimary: true, helloOk: true, minWireVersion: 8, maxWireVersion: 25, ...limits };
      case 'ping':
      case 'endSessions':
        return {};
      case 'listCollections':
        return cursor(collections.has(command.filter.name) ? [{ name: command.filter.name, type: 'collection' }] : []);
      case 'create':
        collections.set(target, { documents: new Map() });
        return {};
      case 'createSearchIndexes':
        for (const each of command.indexes) {
          if (each.type !== 'vectorSearch') throw new Error('not a vector search index');
          define(target, { name: each.name, definition: definition.parse(each.definition) });
        }
        return { indexesCreated: [] };
      case 'updateSearchIndex':
        define(target, { name: command.name, definition: definition.parse(command.definition) });
        return {};
      case 'update':
        return update(collectionOf(target), command.updates);
      case 'delete':
        for (const { q } of command.deletes) remove(collectionOf(target), q);
        return { n: 0 };
      case 'find': {
        const { documents } = collectionOf(target);
        return cursor([documents.get(command.filter._id)].flatMap((each) => each ?? []));
      }
      case 'aggregate':
        return aggregate(collectionOf(target), command.pipeline);
      default:
        throw new Error('unknown command');
    }
  }

  function collectionOf(name: string): Collection {
    const collection = collections.get(name);
    if (collection === undefined) throw new Error('no such collection');
    return collection;
  }

  function define(name: string, index: Pick<NonNullable<Collection['search']>, 'name' | 'definition'>): void {
    const collection = collectionOf(name);
    const dimension = index.definition.fields[0].numDimensions;
    collection.search = { ...index, index: exactIndex({ dimension }), looks: 0 };
    for (const document of collection.documents.values()) collection.search.index.put(rowOf(document));
  }

  function update({ documents, search }: Collection, updates: Document[]): Document {
    for (const { q, u, upsert } of updates) {
      if (upsert !== true) throw new Error('a replacement that does not insert');
      const document = { ...u, _id: q._id };
      documents.set(q._id, document);
      search?.index.put(rowOf(document));
    }
    if (failing) {
      failing = false;
      return { ok: 0, code: 1, errmsg: 'broken on purpose' };
    }
    return { n: updates.length, nModified: updates.length };
  }
}

function remove({ documents, search }: Collection, filter: Document): void {
  const ids: string[] = filter._id === undefined ? [...documents.keys()] : filter._id.$in;
  for (const id of ids) {
    documents.delete(id);
    search?.index.rows.delete(id);
  }
}

function aggregate({ documents, search }: Collection, [first = {}, second = {}]: Document[]): Document {
  if (first.$listSearchIndexes !== undefined) {
    if (search === undefined || search.name !== first.$listSearchIndexes.name) return cursor([]);
    // Not ready at the first look.
    const isReady = search.looks++ > 0;
    const status = { queryable: isReady, status: isReady ? 'READY' : 'BUILDING' };
    return cursor([{ name: search.name, type: 'vectorSearch', ...status, latestDefinition: search.definition }]);
  }
  if (first.$match !== undefined) {
    const n = [...documents.values()].filter((each) => passes(each, first.$match)).length;
    return cursor(n === 0 ? [] : [{ n }]);
  }
  const asked = vectorSearch.parse(first.$vectorSearch);
  if (search === undefined || asked.index !== search.name) throw new Error('no such search index');
  const found = search.index.nearest({
    vector: [...(asked.queryVector as Binary).toFloat32Array()],
    distance: search.definition.fields[0].similarity === 'cosine' ? 'cosine' : 'l2',
    limit: asked.limit,
    matches: (row) => passes(row.fields, asked.filter),
  });
  const wanted = Object.keys(second.$project);
  return cursor(
    found.map(({ row }) => {
      const document = documents.get(row.id) ?? {};
      return Object.fromEntries(wanted.map((field) => [field, document[field]]));
    }),
  );
}

function passes(document: Document, filter: Document): boolean {
  return Object.entries(filter).every(([field, wanted]) => {
    const value = document[field];
    if (typeof wanted === 'string') return value === wanted;
    return wanted.$in === undefined ? value !== wanted.$ne : wanted.$in.includes(value);
  });
}

function rowOf(document: Document): Row {
  const picked = Object.fromEntries(fields.map((field) => [field, document[field]]));
  return { id: document._id, vector: [...(document.vector as Binary).toFloat32Array()], fields: picked };
}
