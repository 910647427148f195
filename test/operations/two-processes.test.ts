import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { threadkeepJson } from '../cli/threadkeep.js';
import { startServer } from '../crash/server.js';
import { aConversation, turns } from '../support/conversation.js';
import { soon } from '../support/patience.js';
import { aFolder, startService } from '../support/service.js';

const writers = 16;
const times = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Two real servers on one data folder, which share the vectors as well. */
async function twoServers() {
  const folder = await aFolder();
  const config = 'storage: { allow_trusted_appends: true }\n';
  await writeFile(join(folder, 'config.yaml'), config);
  const servers = [await startServer(folder), await startServer(folder)] as const;
  onTestFinished(async () => {
    await Promise.all(servers.map((server) => server.kill()));
  });
  const post = (writer: number, path: string, body: unknown) => servers[writer % 2 === 0 ? 0 : 1].post(path, body);
  const pending = async () => ((await servers[0].get('/ready')).health as { pending_chunks: number }).pending_chunks;
  return { post, pending, folder };
}

/** Metadata and vectors, point by point, while both servers run. */
async function expectAgreement(folder: string, points: number): Promise<void> {
  const { json } = await threadkeepJson(folder, ['storage-check', '--repair']);
  expect(json).toMatchObject({
    repair: { reindexed_chunks: 0, removed_chunks: 0, removed_vectors: 0, stray_vectors: 0 },
    counts: { points, vector_rows: points },
  });
}

it('identical inserts into two processes at the same moment make one conversation', async () => {
  const { post, pending, folder } = await twoServers();
  const answers = await Promise.all(times(writers).map((writer) => post(writer, '/memory/insert', aConversation())));
  expect(answers.map(({ status }) => status)).toEqual(times(writers).map(() => 200));
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  expect(answers.filter(({ body }) => body.deduplicated === false)).toHaveLength(1);
  await expect.poll(pending, { timeout: 50_000 }).toBe(0);
  await expectAgreement(folder, 2);
});

it('first captures of one thread in two processes make one memory without a gap', async () => {
  const { post, pending, folder } = await twoServers();
  for (const round of times(4)) {
    const texts = times(writers).map((index) => `round ${round} turn ${index}`);
    const capture = (length: number) =>
      aConversation({ messages: turns(...texts.slice(0, length)), metadata: { upstream_thread_id: `t${round}` } });
    const send = async (writer: number) => {
      let answer = await post(writer, '/memory/insert', capture(writer + 1));
      // Told to try again when too many were at it at once.
      while (answer.status === 409) answer = await post(writer, '/memory/insert', capture(writer + 1));
      return answer;
    };
    const answers = await Promise.all(times(writers).map(send));
    expect(answers.map(({ status }) => status)).toEqual(times(writers).map(() => 200));
    const ids = new Set(answers.map(({ body }) => String(body.id)));
    expect(ids.size).toBe(1);
    const { body } = await post(round, '/memory/retrieve', { id: [...ids][0] });
    expect((body.memory as { messages: object[] }).messages).toEqual(turns(...texts));
  }
  await expect.poll(pending, { timeout: 50_000 }).toBe(0);
  await expectAgreement(folder, 4 * writers);
});

it('a repeated capture leaves new vectors to the process that stored it, also while this one looks for leftovers', async () => {
  const folder = await aFolder();
  const onFiles = { providers: { vector_db: 'lancedb' } } as const;
  const [mayWrite, mayLook] = [aGate(), aGate()];
  let isStarted = false;
  const first = await startService(onFiles, {
    folder,
    around: {
      vectors: (store) => ({
        ...store,
        upsert: (...given) => mayWrite.opened.then(() => store.upsert(...given)),
      }),
    },
  });
  const second = await startService(onFiles, {
    folder,
    around: {
      metadata: (store) => ({
        ...store,
        find: async (table, query) => {
          const isForLeftovers = query?.where?.some((each) => 'field' in each && each.field === 'index_state') === true;
          if (isStarted && isForLeftovers) await mayLook.opened;
          return store.find(table, query);
        },
      }),
    },
  });
  onTestFinished(async () => {
    for (const gate of [mayWrite, mayLook]) gate.open();
    await Promise.all([first.close(), second.close()]);
  });
  await second.service.indexer.settled();
  isStarted = true;
  await first.insert(aConversation());
  second.service.indexer.sweep();
  expect(second.service.indexer.state()).toMatchObject({ running: true });
  expect(await second.insert(aConversation())).toMatchObject({ deduplicated: true, embedded_chunks: 0 });
  for (const gate of [mayWrite, mayLook]) gate.open();
  await expect.poll(() => first.service.records.chunks.countInState('pending'), soon).toBe(0);
  expect(await second.vectorRows()).toBe(2);
});

function aGate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
