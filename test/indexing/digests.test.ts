import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { putTopics } from '../../src/records/annotations.js';
import { aConversation, aNote } from '../support/conversation.js';
import { soon } from '../support/patience.js';
import { aFolder, aService, memberOf, startService, type TestService } from '../support/service.js';

const summaries = async (
  service: TestService,
  kind: 'conversation' | 'topic' | 'project',
  project = 'local-default',
) => {
  const rows = await service.service.records.summaries.find(project, kind);
  return Object.fromEntries(rows.map(({ target_id, text }) => [target_id, text]));
};

/** Compared instead of the bytes: Vitest takes seconds to compare a megabyte. */
const digestOf = async (file: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex');

const pythonNote = (number: number) =>
  aNote(`Python question ${number}`, {
    title: `Note ${number}`,
    timestamp: `2026-01-${String(number).padStart(2, '0')}`,
  });

describe('generated summaries', () => {
  it('of topics and the project are exact after a burst of inserts', async () => {
    const service = await aService();
    const numbers = Array.from({ length: 20 }, (_, index) => index + 1);
    await Promise.all(numbers.map((number) => service.insert(pythonNote(number))));
    await service.insert(aNote('Docker and Python', { title: 'Both', timestamp: '2026-02-01' }));
    await service.insert(pythonNote(1));
    await service.service.digests.flush();
    expect(await summaries(service, 'project')).toEqual({
      'local-default': 'local-default: 21 conversations; latest: Both; Note 20; Note 19; Note 18; Note 17',
    });
    expect(await summaries(service, 'topic')).toEqual({
      python: 'python: 21 conversations; latest: Both; Note 20; Note 19; Note 18; Note 17',
      docker: 'docker: 1 conversation; latest: Both',
    });
  });

  it('are written in the background, without a request', async () => {
    const service = await aService();
    await service.insert(pythonNote(1));
    await expect
      .poll(() => summaries(service, 'project'), soon)
      .toEqual({
        'local-default': 'local-default: 1 conversation; latest: Note 1',
      });
  });

  it('of conversations are kept apart and renewed with them', async () => {
    const service = await aService({ storage: { allow_trusted_appends: true } });
    const capture = (...texts: string[]) => ({
      messages: texts.map((text) => ({ role: 'user', text })),
      metadata: { upstream_thread_id: 't' },
      title: 'T',
    });
    const { id } = await service.insert(capture('One.'));
    await service.insert(capture('One.', 'Two.'));
    expect(await summaries(service, 'conversation')).toEqual({ [id]: 'T: user: One.; user: Two.' });
  });

  it('count what is active only', async () => {
    const service = await aService({ memory: { insert_policy: 'review_pending' } });
    const waiting = await service.insert(pythonNote(1));
    const refused = await service.insert(pythonNote(2));
    await service.request('/memory/pending/reject', { id: refused.id });
    await service.service.digests.flush();
    expect(await summaries(service, 'topic')).toEqual({});
    await service.request('/memory/pending/approve', { id: waiting.id });
    await service.service.digests.flush();
    expect(await summaries(service, 'topic')).toEqual({ python: 'python: 1 conversation; latest: Note 1' });
  });

  it('know their project only', async () => {
    const service = await aService();
    await service.insert(pythonNote(1), memberOf('one'));
    await service.insert(pythonNote(2), memberOf('two'));
    await service.service.digests.flush();
    expect(await summaries(service, 'topic', 'one')).toEqual({ python: 'python: 1 conversation; latest: Note 1' });
    expect(await summaries(service, 'topic', 'two')).toEqual({ python: 'python: 1 conversation; latest: Note 2' });
  });

  it('are complete after the server was closed at once', async () => {
    const folder = await aFolder();
    const before = await startService({}, { folder });
    await before.insert(pythonNote(1));
    await before.close();
    const service = await aService({}, { folder });
    expect(await summaries(service, 'topic')).toEqual({ python: 'python: 1 conversation; latest: Note 1' });
  });
});

describe('after a start', () => {
  it('catch up with everything saved since', async () => {
    const service = await aService();
    const { id } = await service.insert(aNote('Nothing of note.'));
    const { records, digests } = service.service;
    const row = await records.conversations.holderOfId(id);
    if (row === undefined) throw new Error('it was not stored');
    const others = Array.from({ length: 1_200 }, (_, number) => {
      const own = `ffffffff-0000-4000-8000-${String(number).padStart(12, '0')}`;
      return { ...row, id: own, conversation_hash: own, metadata: { ...row.metadata, topics: [`topic-${number}`] } };
    });
    await records.write(
      others.flatMap((each) => [
        { kind: 'insert', table: 'conversations', row: each },
        ...putTopics(each, each.metadata.topics),
      ]),
    );
    await digests.catchUp('local-default');
    await digests.flush();
    expect(Object.keys(await summaries(service, 'topic'))).toHaveLength(1_200);
  });
});

// Reference bug 31: every search updated a project and every profile read inserted summaries.
describe('reads', () => {
  it('write nothing', async () => {
    const service = await aService({}, { inFolder: true });
    const { id } = await service.insert(aConversation());
    await service.service.digests.flush();
    const stored = () =>
      Promise.all(['', '-wal'].map((end) => digestOf(join(service.folder, 'data', `metadata.sqlite3${end}`))));
    const before = await stored();
    await service.search({ query: 'bicycle', result_mode: 'threads' });
    await service.request('/memory/retrieve', { id });
    await service.send('/ready');
    await service.send('/health');
    expect(await stored()).toEqual(before);
  });
});
