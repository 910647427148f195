import { describe, expect, it } from 'vitest';
import { jsonElements } from '../../src/importers/reading/json.js';
import fc from '../support/properties.js';

async function elementsOf(text: string, sizes: readonly number[]): Promise<unknown[]> {
  const bytes = Buffer.from(text);
  async function* pieces(): AsyncGenerator<Uint8Array> {
    let at = 0;
    for (let index = 0; at < bytes.length; index++) {
      const size = sizes[index % sizes.length] ?? 1;
      yield bytes.subarray(at, at + size);
      at += size;
    }
  }
  const found: unknown[] = [];
  for await (const element of jsonElements(pieces(), 1_000_000))
    found.push('value' in element ? element.value : element);
  return found;
}

describe('the elements of a JSON array', () => {
  it('are those that a parser of the whole sees, however the bytes are cut', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue()),
        sizes,
        fc.constantFrom('', '\uFEFF', ' \n'),
        async (values, cuts, lead) => {
          const whole = JSON.parse(JSON.stringify(values)) as unknown[];
          for (const spaces of [0, 2]) {
            expect(await elementsOf(lead + JSON.stringify(values, null, spaces), cuts)).toEqual(whole);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('of a single object are that object', async () => {
    expect(await elementsOf(' {"a": [1, "]}", {"b": "\\""}]} ', [3])).toEqual([{ a: [1, ']}', { b: '"' }] }]);
  });

  it('of several objects in a row are those objects, however the bytes are cut', async () => {
    for (const size of [1, 2, 3, 5, 7, 100]) {
      expect(await elementsOf('{"a":"}{"}\n{"b":[1]} {"c":3}\n', [size])).toEqual([{ a: '}{' }, { b: [1] }, { c: 3 }]);
    }
    expect(await elementsOf('{"a":1}\n{"b":', [3])).toEqual([
      { a: 1 },
      { index: 1, broken: 'the file ends in the middle' },
    ]);
  });

  it('are reported when they are broken, and the others are read', async () => {
    expect(await elementsOf('[{"a":1},{bad},{"c":3}]', [4])).toEqual([
      { a: 1 },
      { index: 1, broken: 'it is not valid JSON' },
      { c: 3 },
    ]);
    expect(await elementsOf('[{"a":1},{"b":', [4])).toEqual([
      { a: 1 },
      { index: 1, broken: 'the file ends in the middle' },
    ]);
    expect(await elementsOf('', [1])).toEqual([{ index: 0, broken: 'the file is empty' }]);
  });
});
