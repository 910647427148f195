import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { createEncoder } from '../../src/reading/encoder.js';
import { columns, relations, states } from '../../src/reading/labels.js';
import { openModel, type ReadingModel } from '../../src/reading/model.js';
import { readModelFile } from '../../src/reading/weights.js';

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

  it('reads any text: empty, endless, of signs alone', () => {
    for (const text of ['', ' ', '?'.repeat(10_000), 'word '.repeat(5_000), '\u{1F600}'.repeat(500)]) {
      expect(Number.isFinite(relevanceOf('What is it?', text))).toBe(true);
      expect(Array.isArray(model.tag(text, text))).toBe(true);
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
    expect([hash('reading'), hash('tagging')]).toEqual(['3f9dda2316081a4e', '832a075c7f6124c7']);
  });
});
