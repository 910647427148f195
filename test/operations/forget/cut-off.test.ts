import { expect, it } from 'vitest';
import type { Around } from '../../../src/app/dependencies.js';
import { scanFiles } from '../../../src/app/verify-forgotten.js';
import { aConversation, turns } from '../../support/conversation.js';
import { changes } from '../../support/meanwhile.js';
import { aFolder, aService, startService, type TestService } from '../../support/service.js';

const canary = 'zyxwquokka-canary-8842';
const note = (number: number) =>
  aConversation({
    title: `${canary} ${number}`,
    source: 'claude',
    messages: turns(`Vladimira: a Python question, number ${number}.`, 'Quokkasson: an answer about Python.'),
  });
const kept = aConversation({ title: 'Kept', messages: turns('Another Python question.', 'Another answer.') });
const everything = { source: 'claude', dry_run: false };
const nothing = { source: 'nobody', dry_run: false };

async function digestsOf(service: TestService): Promise<string[]> {
  const { summaries } = service.service.records;
  const rows = [await summaries.find('local-default', 'project'), await summaries.find('local-default', 'topic')];
  return rows.flat().map(({ text }) => text);
}

const afterwards = ['local-default: 1 conversation; latest: Kept', 'python: 1 conversation; latest: Kept'];
const canaries = [canary, 'vladimira', 'Vladimira', 'quokkasson', 'Quokkasson'];

it('is finished by the next one, with the digests and the names, when the process dies in the middle', async () => {
  const folder = await aFolder();
  let dead = false;
  const dying: Around = {
    metadata: (store) => ({
      ...store,
      async write(batch) {
        if (dead) throw new Error('the process is dead');
        await store.write(batch);
        if (changes('remove', 'conversations')(batch)) dead = ++gone === 3;
      },
    }),
  };
  let gone = 0;
  const before = await startService({}, { folder, around: dying });
  await before.insert(kept);
  for (let number = 0; number < 3; number++) await before.insert(note(number));
  await before.service.digests.flush();
  expect((await digestsOf(before)).join()).toContain(canary);
  const names = ['quokkasson', 'vladimira'];
  expect((await before.service.records.speakers.among('local-default', names)).sort()).toEqual(names);
  expect((await before.request('/memory/forget', everything)).status).toBe(503);
  await before.close();

  const service = await aService({}, { folder });
  const { body } = await service.request('/memory/forget', nothing);
  expect(body).toMatchObject({ status: 'ok', conversations: 0 });
  expect(await digestsOf(service)).toEqual(afterwards);
  expect((await scanFiles(service.config.paths.dataDir, canaries)).found).toEqual([]);
});

it('does not say it is done while the digests still name it', async () => {
  let failing = false;
  const around: Around = {
    metadata: (store) => ({
      ...store,
      async write(batch) {
        if (failing && changes('put', 'summaries')(batch)) throw new Error('the disk is full');
        return store.write(batch);
      },
    }),
  };
  const service = await aService({}, { around, inFolder: true });
  await service.insert(kept);
  await service.insert(note(1));
  await service.service.digests.flush();
  failing = true;
  expect((await service.request('/memory/forget', everything)).status).toBe(503);
  failing = false;
  expect((await service.request('/memory/forget', nothing)).status).toBe(200);
  expect(await digestsOf(service)).toEqual(afterwards);
  expect((await scanFiles(service.config.paths.dataDir, canaries)).found).toEqual([]);
});
