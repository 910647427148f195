import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { backUp, restoreBackup } from '../../../src/app/backup.js';
import { readGauges } from '../../../src/app/observer.js';
import { localPrincipal } from '../../../src/auth/access.js';
import { unpacked } from '../../../src/indexing/deep/shelf.js';
import type { Principal } from '../../../src/model/access.js';
import { operations } from '../../../src/operations/table.js';
import { likeness } from '../../../src/reading/model.js';
import { aConversation, aNote, invented, turns } from '../../support/conversation.js';
import { soon } from '../../support/patience.js';
import {
  aFolder,
  aService,
  type Body,
  configIn,
  idsOf,
  memberOf,
  startService,
  type TestService,
} from '../../support/service.js';

const on = { models: { reader: true, deep_index: true } };
const off = { models: { reader: true, deep_index: false } };
/** Neither words nor the other model find anything. */
const alone = { ...on, retrieval: { vector_score_threshold: 0, keyword_enabled: false } };
const question = 'Which city did I move to?';

const notes = [
  'We finally moved to Leeds last weekend.',
  'Which city did people move to in 1900?',
  'The move in chess took the city champion an hour.',
  'My brother moved to Lyon.',
  'I moved the sofa to the wall.',
];

/** Everything that was saved has its vectors. */
async function encoded({ service }: TestService): Promise<void> {
  await expect.poll(() => service.encoding?.waiting() ?? 0, soon).toBe(0);
}

async function filled(...given: Parameters<typeof aService>): Promise<TestService> {
  const service = await aService(...given);
  for (const text of notes) await service.insert(aNote(text));
  await encoded(service);
  return service;
}

/** On a busy machine a search may go without the model. */
async function inTime<Found>({ logLines }: TestService, look: () => Promise<Found>): Promise<Found> {
  const failures = (): number => logLines.filter((line) => line.includes('search_without')).length;
  for (;;) {
    const before = failures();
    const found = await look();
    if (failures() === before) return found;
  }
}

const searched = (service: TestService, input: Body, principal: Principal = localPrincipal) =>
  inTime(service, () => service.search({ rerank: true, ...input }, principal));

const asked = (service: TestService, input: Body, principal: Principal = localPrincipal) =>
  inTime(service, () => service.ask({ question, ...input }, principal));

async function rowOf({ service }: TestService, id: string) {
  return (await service.records.messageVectors.byIds([id]))[0];
}

const forget = ({ service }: TestService, ids: string[]) =>
  operations.forget.execute(service, { principal: localPrincipal, defaultSource: 'test' }, { ids, dry_run: false });

describe('a search with the deep index', () => {
  it('adds the likeness of each message as one part of its relevance, which the explanation shows', async () => {
    const service = await filled(on);
    const input = { query: question, top_k: 10, explain: true };
    const before = new Map((await service.search(input)).results.map(({ id, explanation }) => [id, explanation]));
    const { results } = await searched(service, input);
    expect(results).toHaveLength(notes.length);
    const vector = await service.service.reading?.reader.questionVector(question);
    for (const { id, relevance, explanation = {} } of results) {
      const { deep = 0, rerank = 0, ...others } = explanation;
      const row = await rowOf(service, id);
      const { vectors } = unpacked(row?.vectors ?? '', row?.vector_count ?? 0);
      expect(deep).toBeCloseTo(0.8 * likeness(vector ?? new Int8Array(0), vectors), 5);
      expect(others).toEqual(before.get(id));
      const plain = Object.values(others).reduce((sum, share) => sum + share, 0);
      expect(relevance).toBeCloseTo(plain + deep + rerank, 4);
    }
  });

  it('leaves a plain search, lists and the order of time as they are', async () => {
    const [withIt, without] = [await filled(on), await filled(off)];
    for (const input of [
      { query: question, explain: true },
      { query: question, rerank: true, sort: 'newest', explain: true },
      { query: 'role:user', rerank: true, explain: true },
    ]) {
      const parts = async (service: TestService) =>
        (await service.search({ ...input, result_mode: 'compact' })).results.map((item) => ({
          ...item,
          id: '',
          timestamp: '',
        }));
      const found = await parts(withIt);
      expect(found).toEqual(await parts(without));
      expect(found.length).toBeGreaterThan(0);
    }
  });

  it('finds what neither words nor the other vectors find', async () => {
    const service = await filled(alone);
    expect((await service.search({ query: question })).results).toEqual([]);
    expect((await searched(service, { query: question, top_k: 10 })).results).toHaveLength(notes.length);
    const { results } = await asked(service, { top_k: 10 });
    expect(results.length).toBeGreaterThan(0);
    expect((await service.ask({ question, top_k: 10, rerank: false })).results).toEqual([]);
  });

  it('shows every result once, page by page', async () => {
    const service = await filled(on);
    for (let index = 0; index < 40; index++) await service.insert(aNote(`${invented(index)} number ${index}.`));
    await encoded(service);
    for (const retrieval of [{}, alone.retrieval]) {
      Object.assign(service.service.settings.retrieval, {
        keywordEnabled: !('keyword_enabled' in retrieval),
        vectorScoreThreshold: 'vector_score_threshold' in retrieval ? 0 : 7.5,
      });
      const seen: string[] = [];
      let cursor: string | null | undefined;
      while (cursor !== null) {
        const page = await searched(service, { query: question, limit: 4, ...(cursor && { cursor }) });
        seen.push(...idsOf(page));
        cursor = page.cursor;
      }
      expect(seen).toHaveLength(notes.length + 40);
      expect(new Set(seen).size).toBe(seen.length);
    }
  });

  it('gives new messages the average similarity until they have their own', async () => {
    const service = await filled(on);
    await service.service.encoding?.stop();
    const { id } = await service.insert(aNote('The city I moved to is Hull.'));
    const { results } = await searched(service, { query: question, top_k: 10, explain: true });
    const deep = new Map(results.map((item) => [item.id, item.explanation?.deep ?? 0]));
    const others = [...deep].filter(([each]) => each !== id).map(([, share]) => share);
    expect(deep.get(id)).toBeCloseTo(others.reduce((sum, share) => sum + share, 0) / others.length, 4);
  });

  it('answers in the old order when the model fails, and logs no text', async () => {
    const service = await filled(on);
    const plain = await service.search({ query: question });
    await service.service.reading?.reader.close();
    const found = await service.search({ query: question, rerank: true });
    expect(idsOf(found)).toEqual(idsOf(plain));
    const lines = service.logLines.filter((line) => line.includes('search_without_deep_index'));
    expect(lines).toHaveLength(1);
    expect(lines.join()).not.toContain('city');
  });

  it('is off with its switch, or with the reader', async () => {
    for (const models of [
      { reader: true, deep_index: false },
      { reader: false, deep_index: true },
    ]) {
      const { service } = await aService({ models });
      expect([service.deep, service.encoding]).toEqual([undefined, undefined]);
    }
  });
});

describe('what the deep index shows', () => {
  it('is never of another user or project', async () => {
    const service = await aService(alone);
    const members = [localPrincipal, memberOf('one'), memberOf('two')];
    const own = new Map<Principal, string>();
    for (const member of members) own.set(member, (await service.insert(aNote(`${notes[0]}`), member)).id);
    await encoded(service);
    for (const member of members) {
      for (const memory_status of ['active', 'all']) {
        const input = { query: question, top_k: 100, memory_status };
        expect(idsOf(await searched(service, input, member))).toEqual([own.get(member)]);
      }
      expect(idsOf(await asked(service, { top_k: 100 }, member))).toEqual([own.get(member)]);
    }
  });

  it('passes every filter', async () => {
    const service = await aService(alone);
    const kept = await service.insert(aNote('We moved to Leeds.', { source: 'claude', timestamp: '2025-03-01' }));
    await service.insert(aNote('We moved to Hull.', { source: 'chatgpt', timestamp: '2025-06-01' }));
    await service.insert(aNote('We moved to York.', { source: 'chatgpt', timestamp: '2025-07-01' }));
    await encoded(service);
    const idsFor = async (filter: object) => idsOf(await searched(service, { query: question, ...filter }));
    expect(await idsFor({})).toHaveLength(3);
    expect(await idsFor({ source: 'claude' })).toEqual([kept.id]);
    expect(await idsFor({ date_to: '2025-04-01' })).toEqual([kept.id]);
    expect(await idsFor({ query: `${question} -hull -york` })).toEqual([kept.id]);
    expect(idsOf(await asked(service, { as_of: '2025-04-01' }))).toEqual([kept.id]);
  });

  it('is nothing that waits for review or was rejected, and what was approved', async () => {
    const service = await aService({ ...alone, memory: { insert_policy: 'review_pending' } });
    const call = { principal: localPrincipal, defaultSource: 'test' };
    const [approved, rejected, waiting] = [
      await service.insert(aNote('We moved to Leeds.')),
      await service.insert(aNote('We moved to Hull.')),
      await service.insert(aNote('We moved to York.')),
    ];
    await operations.pending_approve.execute(service.service, call, { id: approved.id });
    await operations.pending_reject.execute(service.service, call, { id: rejected.id });
    service.service.encoding?.add(rejected.id);
    service.service.encoding?.add(waiting.id);
    await encoded(service);
    expect(await rowOf(service, approved.id)).toMatchObject({ chunk_count: 1, vector_count: 1 });
    expect([await rowOf(service, rejected.id), await rowOf(service, waiting.id)]).toEqual([undefined, undefined]);
    expect(idsOf(await searched(service, { query: question }))).toEqual([approved.id]);
  });

  it('is gone when it is forgotten, here and in another process', async () => {
    const folder = await aFolder();
    const [one, other] = [await startService(alone, { folder }), await startService(alone, { folder })];
    const first = await one.insert(aNote('We moved to Leeds.'));
    const second = await one.insert(aNote('We moved to Hull.'));
    await encoded(one);
    const input = { query: question };
    const both = [first.id, second.id].toSorted();
    for (const each of [one, other]) expect(idsOf(await searched(each, input)).toSorted()).toEqual(both);
    await forget(one, [first.id]);
    expect(await rowOf(one, first.id)).toBeUndefined();
    for (const each of [one, other]) expect(idsOf(await searched(each, input))).toEqual([second.id]);
    const third = await one.insert(aNote('We moved to York.'));
    await encoded(one);
    for (const each of [one, other]) {
      expect(idsOf(await searched(each, input)).toSorted()).toEqual([second.id, third.id].toSorted());
    }
    await other.close();
    await one.close();
  });
});

describe('the vectors of a conversation', () => {
  it('are one for a short message and one for each part of a long one', async () => {
    const service = await aService(on);
    const long = 'The heron stood in the reeds and waited for the fish. '.repeat(20);
    const { id } = await service.insert(aConversation({ messages: turns('Hello heron.', long, 'Thanks.') }));
    await encoded(service);
    const row = await rowOf(service, id);
    const { chunkIndexes } = unpacked(row?.vectors ?? '', row?.vector_count ?? 0);
    expect(row).toMatchObject({ scope: 'project:local-default', chunk_count: 3, vector_count: chunkIndexes.length });
    expect([chunkIndexes[0], chunkIndexes.at(-1)]).toEqual([0, 2]);
    expect(chunkIndexes.filter((index) => index === 1).length).toBeGreaterThan(2);
  });

  it('are extended by an append, and equal those of the whole saved at once', async () => {
    const service = await aService({ ...on, storage: { allow_trusted_appends: true } });
    const messages = turns('We moved.', 'Where to?', 'To Leeds, last week.', 'Nice.');
    const capture = (count: number) => ({
      ...aConversation({ messages: messages.slice(0, count) }),
      metadata: { upstream_thread_id: 'thread-1', capture_mode: 'trusted' },
    });
    const { id } = await service.insert(capture(2));
    await encoded(service);
    expect(await rowOf(service, id)).toMatchObject({ chunk_count: 2 });
    expect((await service.insert(capture(4))).id).toBe(id);
    await encoded(service);
    const appended = await rowOf(service, id);
    expect(appended).toMatchObject({ chunk_count: 4, vector_count: 4 });
    const atOnce = await service.insert(aConversation({ messages }), memberOf('else'));
    await encoded(service);
    expect(appended?.vectors).toBe((await rowOf(service, atOnce.id))?.vectors);
  });

  it('are made after a restart for what a store of an older version holds, and not made again', async () => {
    const folder = await aFolder();
    const first = await startService(off, { folder });
    const ids = [];
    for (const text of notes) ids.push((await first.insert(aNote(text))).id);
    await first.close();
    const database = new DatabaseSync(join(folder, 'data', 'metadata.sqlite3'));
    database.exec('DROP TABLE message_vectors');
    database.close();
    const second = await startService(on, { folder });
    await encoded(second);
    const rows = await second.service.records.messageVectors.byIds(ids);
    expect(rows).toHaveLength(notes.length);
    expect(await readGauges(second.runtime)).toEqual(
      expect.arrayContaining([
        { name: 'memory_encoded_conversations', labels: {}, value: notes.length },
        { name: 'memory_waiting_conversations', labels: { work: 'encoding' }, value: 0 },
      ]),
    );
    await second.close();
    const third = await startService(on, { folder });
    await encoded(third);
    expect(await third.service.records.messageVectors.byIds(ids)).toEqual(rows);
    await third.close();
  });

  it('of another model are not used, and are made again', async () => {
    const folder = await aFolder();
    const first = await startService(on, { folder });
    const { id } = await first.insert(aNote('We moved to Leeds.'));
    await encoded(first);
    const made = await rowOf(first, id);
    await first.close();
    const database = new DatabaseSync(join(folder, 'data', 'metadata.sqlite3'));
    database.exec("UPDATE message_vectors SET model = 'another', vectors = ''");
    database.close();
    const second = await startService(on, { folder });
    await encoded(second);
    expect(await rowOf(second, id)).toMatchObject({ model: made?.model, vectors: made?.vectors });
    await second.close();
  });

  it('go with a reindex that cuts it in another way, and are made again', async () => {
    const folder = await aFolder();
    const first = await startService(on, { folder });
    const { id } = await first.insert(aNote('We moved to Leeds and like it there very much.'));
    await encoded(first);
    await first.close();
    const token = { ...on, chunking: { strategy: 'token' as const, max_tokens: 4, overlap_tokens: 0 } };
    const second = await startService(token, { folder });
    await operations.insert.execute(
      second.service,
      { principal: localPrincipal, defaultSource: 'test' },
      aNote('Something else.'),
    );
    const { reindex } = await import('../../../src/indexing/reindex.js');
    await reindex(second.service, { includeInactive: false });
    expect(await rowOf(second, id)).toBeUndefined();
    await second.close();
    const third = await startService(token, { folder });
    await encoded(third);
    const chunks = await third.service.records.chunks.ofConversation(id);
    expect(chunks.length).toBeGreaterThan(1);
    expect(await rowOf(third, id)).toMatchObject({ chunk_count: chunks.length });
    await third.close();
  });

  it('are not in a backup, and are made again from what was restored', async () => {
    const service = await filled(on, { inFolder: true });
    const file = join(await aFolder(), 'copy.backup');
    const silent = { log: () => {}, count: () => {}, duration: () => {} };
    const { rows } = await backUp(service.config, silent, { file });
    expect(rows.message_vectors ?? 0).toBe(0);
    const elsewhere = await aFolder();
    await restoreBackup(await configIn(elsewhere, on), silent, { file });
    const restored = await startService(on, { folder: elsewhere });
    await encoded(restored);
    const ids = idsOf(await service.search({ query: question, top_k: 10 }));
    const vectorsIn = async (each: TestService) =>
      (await each.service.records.messageVectors.byIds(ids)).map(({ id, vectors }) => [id, vectors]);
    expect(await vectorsIn(restored)).toEqual(await vectorsIn(service));
    await restored.close();
  });
});
