import { describe, expect, it } from 'vitest';
import { createStaticModel, parseTable } from '../../../src/embeddings/static/embed.js';
import { tinyModel } from './tiny-model.js';

async function aModel(rows: Record<string, number[]>, options?: { countOnce: boolean }) {
  const { model, vocabulary } = tinyModel(rows, options);
  return createStaticModel(await parseTable(model, vocabulary));
}

const axes = { north: [4, 0], east: [0, 3] };

describe('a static model', () => {
  it('adds the rows of the pieces and sets the length to one', async () => {
    expect([...(await aModel(axes)).embed('North, east?')]).toEqual([Math.fround(0.8), Math.fround(0.6)]);
  });

  it('counts a piece as often as it occurs', async () => {
    expect([...(await aModel({ a: [3, 0], b: [0, 8] })).embed('a a b')]).toEqual([Math.fround(0.6), Math.fround(0.8)]);
  });

  it('counts a piece once where the model says so', async () => {
    const model = await aModel({ a: [6, 0], b: [0, 8] }, { countOnce: true });
    expect([...model.embed('a a b')]).toEqual([Math.fround(0.6), Math.fround(0.8)]);
  });

  it('answers with the first axis when it knows no piece', async () => {
    for (const text of ['', '   ', 'west', '西']) expect([...(await aModel(axes)).embed(text)]).toEqual([1, 0]);
  });

  it('keeps a word that has an emoji stuck to it', async () => {
    expect([...(await aModel(axes)).embed('east🎉')]).toEqual([0, 1]);
  });

  it('cuts a text into windows of equal length', async () => {
    const windows = (await aModel(axes)).embedWindows('north north north east east east', 4);
    expect(windows.map((window) => [...window])).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });

  it('has one window for a short or empty text', async () => {
    const model = await aModel(axes);
    expect(model.embedWindows('east', 4).map((window) => [...window])).toEqual([[0, 1]]);
    expect(model.embedWindows('', 4).map((window) => [...window])).toEqual([[1, 0]]);
  });

  it('computes the same in steps, also beyond one slice of text', async () => {
    const model = await aModel(axes);
    const text = 'north east east '.repeat(2000);
    const steps = model.steps(text);
    let pauses = 0;
    let step = steps.next();
    while (!step.done) {
      pauses++;
      step = steps.next();
    }
    expect(pauses).toBeGreaterThan(5);
    expect(step.value).toEqual(model.embed(text));
    expect([...step.value]).toEqual([...model.embed('north east east')]);
  });

  it('reads a long text without spaces to its end', async () => {
    const model = await aModel({ 山: [4, 0], 海: [0, 3] });
    const [first, last] = [
      model.embed('山'.repeat(9000)),
      model.embedWindows(`${'山'.repeat(9000)}${'海'.repeat(9000)}`, 9000)[1],
    ];
    expect([...first]).toEqual([1, 0]);
    expect([...(last ?? [])]).toEqual([0, 1]);
  });
});
