import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { columns, relations, states } from '../../src/reading/contract.js';
import { createEncoder, readModelFile } from '../../src/reading/encoder.js';
import { likeness, openModel, type ReadingModel } from '../../src/reading/model.js';

const file = fileURLToPath(new URL('../../models/reader.bin', import.meta.url));

let model: ReadingModel;
beforeAll(async () => {
  model = await openModel(file);
});

const said = (text: string) => ({ message: { speaker: 'user', text } });
const relevanceOf = (question: string, text: string): number => model.read(question, [said(text)])[0]?.relevance ?? 0;

describe('the shipped reading model', () => {
  it.each([
    [
      'Where do I live now?',
      'finally moved to Leeds last weekend, boxes everywhere',
      'whats a good way to descale a kettle',
    ],
    [
      'What am I allergic to?',
      'allergic to shellfish btw so swap the prawns',
      'can you make the second paragraph shorter',
    ],
    [
      'What is my dog called?',
      'our dog Biscuit ate a whole corn cob, 186 quid at the vet',
      'how do i sharpen a chisel',
    ],
  ])('finds what answers likelier than what does not: %s', (question, answers, doesNot) => {
    expect(relevanceOf(question, answers)).toBeGreaterThan(relevanceOf(question, doesNot));
  });

  it('gives a span inside the message, never in its neighbours', () => {
    const text = 'she starts at Bolt on monday';
    const window = { ...said(text), before: { speaker: 'assistant', text: 'How is Marta?' } };
    const span = model.read('Where does Marta work?', [window])[0]?.span;
    expect(span?.start).toBeGreaterThanOrEqual(0);
    expect(span?.end).toBeLessThanOrEqual(text.length);
  });

  it('reads any text: empty, very long, symbols only', () => {
    for (const text of ['', ' ', '?'.repeat(10_000), 'word '.repeat(5_000), '\u{1F600}'.repeat(500)]) {
      expect(Number.isFinite(relevanceOf('What is it?', text))).toBe(true);
      expect(Array.isArray(model.tag(text, text))).toBe(true);
    }
  });

  it('finds the message that answers by its vector, though they share no word', () => {
    const texts = [
      'finally moved to Leeds last weekend, boxes everywhere',
      'the printer is out of ink again',
      'my sister has a new dog called Biscuit',
      'started physio for the knee on tuesday',
      'pasta with lemon tonight',
    ];
    const vectors = model.messageVectors(texts.map(said));
    const nearest = (question: string): string | undefined => {
      const vector = model.questionVector(question);
      const scores = vectors.map((each) => likeness(vector, each));
      return texts[scores.indexOf(Math.max(...scores))];
    };
    expect(nearest('Where do I live now?')).toBe(texts[0]);
    expect(nearest('What is the animal in the family named?')).toBe(texts[2]);
    expect(nearest('Which treatment do I get for my leg?')).toBe(texts[3]);
  });

  it('makes vectors of any text, and the same ones every time', () => {
    for (const text of ['', ' ', '?'.repeat(10_000), 'word '.repeat(5_000), '\u{1F600}'.repeat(500)]) {
      const [vector] = model.messageVectors([said(text)]);
      expect(vector).toHaveLength(256);
      expect(model.messageVectors([said(text)])[0]).toEqual(vector);
    }
  });

  it('has as many outputs as there are labels', async () => {
    const { outputs } = await readModelFile(file);
    expect(columns.subjects + 3).toBeLessThanOrEqual(outputs);
    expect(columns.states).toBe(columns.tags + 1 + 2 * relations.length);
    expect(columns.others).toBe(columns.states + states.length);
  });

  it('makes the same bits on every machine', async () => {
    const encoder = await createEncoder(await readModelFile(file));
    const ids = Array.from({ length: 41 }, (_, place) => (place * 97) % 9_000);
    const hash = (purpose: 'reading' | 'tagging'): string =>
      createHash('sha256')
        .update(Buffer.from(encoder.run(ids, 12, purpose).values.buffer))
        .digest('hex')
        .slice(0, 16);
    expect([hash('reading'), hash('tagging')]).toEqual(['f2c66a3cf0de814c', '583c4a123e221684']);
  });
});

describe('the unpacked copy of the model', () => {
  async function aCache(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'threadkeep-cache-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    return join(folder, 'cache');
  }

  it('is made once and has the same content, and replaces that of another model', async () => {
    const cache = await aCache();
    const packed = await readModelFile(file, { cache });
    const [copy = '', ...others] = await readdir(cache);
    expect(others).toEqual([]);
    await writeFile(join(cache, 'reading-model-of-an-older-version.bin'), 'old');
    // A copy that is read is not written again.
    const { data, ...header } = await readModelFile(file, { cache });
    expect(data.equals(packed.data)).toBe(true);
    expect({ ...packed, data: undefined }).toEqual({ ...header, data: undefined });
    expect(await readdir(cache)).toHaveLength(2);
    await rm(join(cache, copy));
    await readModelFile(file, { cache });
    expect(await readdir(cache)).toEqual([copy]);
  });

  it.each<[string, (copy: string) => Promise<void>]>([
    ['cut off', (copy) => truncate(copy, 20_000_000)],
    ['of zeros', async (copy) => writeFile(copy, Buffer.alloc((await readFile(copy)).length))],
    ['empty', (copy) => truncate(copy, 0)],
  ])('is made again when it is %s', async (_, damage) => {
    const cache = await aCache();
    const packed = await readModelFile(file, { cache });
    const copy = join(cache, (await readdir(cache))[0] ?? '');
    const whole = await readFile(copy);
    await damage(copy);
    expect((await readModelFile(file, { cache })).data.equals(packed.data)).toBe(true);
    expect((await readFile(copy)).equals(whole)).toBe(true);
  });

  it('is not needed: the model is read where no folder can be made', async () => {
    const cache = await aCache();
    await writeFile(join(cache, '..', 'file'), '');
    const { outputs } = await readModelFile(file, { cache: join(cache, '..', 'file', 'cache') });
    expect(outputs).toBeGreaterThan(0);
  });
});
