import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { aConversation, turns } from '../support/conversation.js';
import { soon } from '../support/patience.js';
import { aFolder, startService, type TestService } from '../support/service.js';

/** More in the ring of crashes. */
const chances = Number(process.env.CRASH_TEST_DAMAGES ?? 6);
const words = ['heron', 'lantern', 'quarry', 'saddle', 'thimble', 'walnut'];
const lance = { providers: { vector_db: 'lancedb' } } as const;
vi.setConfig({ testTimeout: 60_000 + chances * 10_000 });

interface File {
  path: string;
  size: number;
}

const damages = {
  truncates: ({ path, size }: File, random: () => number) => truncateSync(path, Math.floor(random() * size)),
  empties: ({ path }: File) => truncateSync(path, 0),
  deletes: ({ path }: File) => rmSync(path),
  zeroes: (file: File, random: () => number) => overwrite(file, random, () => 0),
  garbles: (file: File, random: () => number) => overwrite(file, random, () => Math.floor(random() * 256)),
};

/** What a lost or stray page looks like. */
function overwrite({ path, size }: File, random: () => number, byte: () => number): void {
  const bytes = readFileSync(path);
  const from = Math.floor(random() * size);
  for (let at = from; at < Math.min(size, from + 4_096); at++) bytes[at] = byte();
  writeFileSync(path, bytes);
}

/** Six conversations in as many versions of the table, and the server stopped in order. */
async function stored(): Promise<string> {
  const folder = await aFolder();
  const service = await startService(lance, { folder });
  for (const word of words) {
    await service.insert(
      aConversation({ title: word, messages: turns(`Where is the ${word}?`, `The ${word} is here.`) }),
    );
    await service.vectorRows();
  }
  await service.close();
  return folder;
}

async function expectAllFound(service: TestService): Promise<void> {
  await expect.poll(() => service.vectorRows(), soon).toBe(12);
  for (const word of words) {
    const { results } = await service.search({ query: `Where is the ${word}?`, top_k: 3 });
    expect(results[0], word).toMatchObject({ text: expect.stringContaining(word), score: expect.any(Number) });
  }
}

async function expectHealed(folder: string): Promise<TestService> {
  const service = await startService(lance, { folder });
  try {
    expect(service.runtime.health.report()).toMatchObject({ mode: 'ok', vector_provider: 'lancedb' });
    await expectAllFound(service);
    // Housekeeping reads old versions as well.
    await service.runtime.vectors.store.maintain?.();
    await service.insert(aConversation({ messages: turns('A new one.', 'Yes.') }));
    expect(await service.vectorRows()).toBe(14);
  } finally {
    await service.close();
  }
  return service;
}

function filesOf(folder: string): File[] {
  const vectors = join(folder, 'data', 'vectors');
  return readdirSync(vectors, { recursive: true, encoding: 'utf8' })
    .map((name) => join(vectors, name))
    .sort()
    .flatMap((path) => (statSync(path).isFile() ? [{ path, size: statSync(path).size }] : []));
}

describe('a damaged LanceDB folder', () => {
  it('is made again when it is gone', async () => {
    const folder = await stored();
    rmSync(join(folder, 'data', 'vectors'), { recursive: true });
    await expectHealed(folder);
  });

  it.each([
    ['a data file', /\.lance$/],
    ['the newest version', /\.manifest$/],
    ['a transaction', /\.txn$/],
  ])('is made again when %s is empty', async (_, pattern) => {
    const folder = await stored();
    const [file] = filesOf(folder).filter(({ path }) => pattern.test(path) && path.includes('chunks.lance'));
    if (file === undefined) throw new Error('no such file');
    damages.empties(file);
    await expectHealed(folder);
  });

  it('is thrown away with a word in the log, and nothing else with it', async () => {
    const folder = await stored();
    for (const file of filesOf(folder)) if (file.path.endsWith('.lance')) damages.empties(file);
    const beside = join(folder, 'data', 'vectors', 'not-ours.txt');
    writeFileSync(beside, 'kept');
    const { logLines } = await expectHealed(folder);
    expect(readFileSync(beside, 'utf8')).toBe('kept');
    expect(logLines.filter((line) => line.includes('vector_index_discarded'))).toHaveLength(1);
  });

  it(`never costs more than the vectors, in ${chances} ways by chance`, async () => {
    const random = seeded(20261115);
    for (let chance = 0; chance < chances; chance++) {
      const folder = await stored();
      const files = filesOf(folder);
      const damaged = Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(files, random));
      // Named in a failure: the names of the files, and so what is damaged, differ from run to run.
      const done = [...new Set(damaged)].map((file) => {
        const [kind, damage] = pick(Object.entries(damages), random);
        damage(file, random);
        return `${kind} ${file.path.slice(folder.length)} of ${file.size} bytes`;
      });
      const service = await startService(lance, { folder });
      try {
        const { results } = await service.search({ query: 'Where is the heron?', top_k: 1 });
        expect(results).toHaveLength(1);
        await expect.poll(() => service.vectorRows(), { ...soon, message: done.join(', ') }).toBeGreaterThanOrEqual(12);
        await service.runtime.vectors.store.maintain?.();
      } finally {
        await service.close();
      }
    }
  });
});

function pick<Item>(items: readonly Item[], random: () => number): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
