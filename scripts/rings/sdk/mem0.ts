import assert from 'node:assert/strict';
import type { Memory as Mem0 } from 'mem0ai/oss';
import { Memory } from 'threadkeep/mem0';
import { opened } from './opened.js';

// What a program hands to mem0, and what it reads from the answers, have the types of mem0's own package.
type Names = 'add' | 'search' | 'get' | 'getAll' | 'delete' | 'deleteAll';
type Answer<Name extends Names> = Awaited<ReturnType<Mem0[Name]>>;

const memory = await opened();
const mem0 = new Memory({ memory });

const said = [{ role: 'user', content: 'I am allergic to walnuts.' }] satisfies Parameters<Mem0['add']>[0];
const whose = { userId: 'alice' } satisfies Parameters<Mem0['deleteAll']>[0];
const filters = { user_id: 'alice' };
const adding = { ...whose, timestamp: new Date('2026-03-01T10:00:00Z'), metadata: { app: 'x' } };
const added: Answer<'add'> = await mem0.add(said, adding satisfies Parameters<Mem0['add']>[1]);
const id = added.results[0]?.id ?? '';

const searching = { filters, topK: 3 } satisfies Parameters<Mem0['search']>[1];
const found: Answer<'search'> = await mem0.search('walnuts', searching);
assert.equal(found.results[0]?.memory, 'I am allergic to walnuts.');
assert.equal(found.results[0]?.createdAt?.slice(0, 10), '2026-03-01');
assert.deepEqual(found.results[0]?.metadata, { app: 'x' });
const one: Answer<'get'> = await mem0.get(id);
assert.equal(one?.id, id);
const listing = { filters, topK: 10 } satisfies Parameters<Mem0['getAll']>[0];
const all: Answer<'getAll'> = await mem0.getAll(listing);
assert.deepEqual(
  all.results.map((each) => each.id),
  [id],
);
const gone: Answer<'delete'> = await mem0.delete(id);
assert.match(gone.message, /deleted/);
await mem0.add(said, adding);
const none: Answer<'deleteAll'> = await mem0.deleteAll(whose);
assert.match(none.message, /deleted/);
assert.deepEqual((await mem0.getAll(listing)).results, []);
await memory.close();
