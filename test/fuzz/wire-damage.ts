import fc from '../support/properties.js';
import { canary } from './odd-values.js';

/** What can happen to a good JSON text on its way. */
export type Damage =
  | { kind: 'none' }
  | { kind: 'cut'; at: number }
  | { kind: 'insert'; at: number; bytes: Uint8Array }
  | { kind: 'literal'; at: number; text: string }
  | { kind: 'twice' }
  | { kind: 'deep'; levels: number }
  | { kind: 'mark' }
  | { kind: 'utf16' }
  | { kind: 'pad'; size: number };

export const damages: fc.Arbitrary<Damage> = fc.oneof(
  { weight: 20, arbitrary: fc.constant<Damage>({ kind: 'none' }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cut' as const), at: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('insert' as const),
      at: fc.nat(),
      bytes: fc.oneof(
        fc.uint8Array({ minLength: 1, maxLength: 6 }),
        fc.constantFrom(...['\0', '"', '\\', '\\u00', '{', ']', ','].map((text) => Uint8Array.from(Buffer.from(text)))),
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('literal' as const),
      at: fc.nat(),
      text: fc.constantFrom('NaN', 'Infinity', '1e999', '-1e999', '-0', '0x10', '1_000', '9'.repeat(400), 'undefined'),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Damage>({ kind: 'twice' }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('deep' as const), levels: fc.constantFrom(65, 1_000, 20_000, 90_000) }),
  },
  { weight: 1, arbitrary: fc.constantFrom<Damage>({ kind: 'mark' }, { kind: 'utf16' }) },
  { weight: 1, arbitrary: fc.constantFrom<Damage>({ kind: 'pad', size: 100_000 }, { kind: 'pad', size: 400_000 }) },
);

export function damaged(text: string, damage: Damage): Buffer {
  switch (damage.kind) {
    case 'none':
      return Buffer.from(text);
    case 'cut':
      return Buffer.from(text).subarray(0, damage.at % (text.length + 1));
    case 'insert': {
      const bytes = Buffer.from(text);
      const at = damage.at % (bytes.length + 1);
      return Buffer.concat([bytes.subarray(0, at), damage.bytes, bytes.subarray(at)]);
    }
    case 'literal': {
      const places = [...text.matchAll(/(?<=[:,[])(?:-?\d[\d.e+-]*|"[^"\\]{0,20}"|true|false|null)(?=[,\]}])/g)];
      const place = places[damage.at % Math.max(1, places.length)];
      if (place === undefined) return Buffer.from(damage.text);
      return Buffer.from(text.slice(0, place.index) + damage.text + text.slice(place.index + place[0].length));
    }
    case 'twice':
      // Every key of the outermost object a second time: the last one counts, or it is refused.
      return Buffer.from(
        text.startsWith('{') && text.length > 2 ? `${text.slice(0, -1)},${text.slice(1)}` : text + text,
      );
    case 'deep': {
      const value = `${'['.repeat(damage.levels)}"${canary}"${']'.repeat(damage.levels)}`;
      return Buffer.from(text.startsWith('{"') ? `{"metadata":${value},${text.slice(1)}` : value);
    }
    case 'mark':
      return Buffer.from(`\ufeff${text}`);
    case 'utf16':
      return Buffer.from(text, 'utf16le');
    case 'pad':
      return Buffer.from(`${' '.repeat(damage.size)}${text}`);
    default:
      return damage satisfies never;
  }
}
