import { describe, expect, it, test } from 'vitest';
import fc from '../support/properties.js';
import { contentOf, createDisk, type Pending } from './disk.mjs';
import type { DiskRecord } from './recording.mjs';

function aRecord(kind: DiskRecord['kind'], name: string, offset = 0, text = ''): DiskRecord {
  return { kind, name, offset, data: Buffer.from(text) };
}

function aDisk(...records: DiskRecord[]) {
  const disk = createDisk();
  for (const each of records) disk.apply(each);
  return disk;
}

describe('the disk of the power-cut tests', () => {
  const written = [aRecord('create', 'data/a'), aRecord('write', 'data/a', 0, 'old')];

  it('keeps everything for a process that starts after a kill', () => {
    const [file] = aDisk(...written, aRecord('write', 'data/a', 4, 'new')).current();
    expect(file).toEqual({ name: 'data/a', content: Buffer.from('old\0new') });
  });

  it('keeps for certain only what was synced', () => {
    const disk = aDisk(...written, aRecord('sync', 'data/a'), aRecord('write', 'data/a', 0, 'new'));
    expect(disk.names().now.get('data/a')?.durable.toString()).toBe('old');
  });

  it('keeps a name for certain only once its folder was synced', () => {
    const disk = aDisk(...written, aRecord('sync', 'data/a'));
    expect(disk.names().certain.size).toBe(0);
    disk.apply(aRecord('sync-folder', 'data/'));
    expect([...disk.names().certain.keys()]).toEqual(['data/a']);
  });

  it('can lose a folder with all it holds until the folder above was synced', () => {
    const disk = aDisk(aRecord('make-folder', 'data'), ...written, aRecord('sync-folder', 'data/'));
    expect(disk.names().certain.size).toBe(0);
    disk.apply(aRecord('sync-folder', '/'));
    expect(disk.names().certain.size).toBe(1);
  });

  it('can bring back a file whose removal was not synced', () => {
    const disk = aDisk(...written, aRecord('sync-folder', 'data/'), aRecord('unlink', 'data/a'));
    expect({ now: disk.names().now.size, certain: disk.names().certain.size }).toEqual({ now: 0, certain: 1 });
  });
});

const change = fc.record({
  serial: fc.nat(),
  kind: fc.constantFrom('write' as const, 'truncate' as const),
  offset: fc.nat(3_000),
  data: fc.uint8Array({ minLength: 1, maxLength: 1_500 }).map((bytes) => Buffer.from(bytes)),
});

test('a file after all changes is what a plain buffer would be', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2_000 }), fc.array(change), (before, changes) => {
      const pending: Pending[] = changes.map((each) =>
        each.kind === 'truncate' ? { ...each, data: Buffer.alloc(0) } : each,
      );
      let plain = Buffer.from(before);
      for (const { kind, offset, data } of pending) {
        const size = kind === 'truncate' ? offset : Math.max(plain.length, offset + data.length);
        const next = Buffer.alloc(size);
        plain.copy(next);
        data.copy(next, offset);
        plain = next;
      }
      expect(contentOf(Buffer.from(before), pending).equals(plain)).toBe(true);
    }),
  );
});

test('a torn write leaves whole sectors, old or new', () => {
  const [before, after] = [Buffer.alloc(2_048, 'o'), Buffer.alloc(2_048, 'n')];
  const pending: Pending[] = [{ serial: 0, kind: 'write', offset: 0, data: after }];
  const torn = contentOf(before, pending, () => [true, false, true, false]).toString();
  expect(torn).toBe(['n', 'o', 'n', 'o'].map((letter) => letter.repeat(512)).join(''));
});
