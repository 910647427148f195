import { crc32, deflateRawSync } from 'node:zlib';
// @ts-expect-error A plain script, shared with the benchmarks.
import { zipOf as write } from '../../bench/zip.mjs';

/** A zip of one file of any size, piece by piece. */
export const zipOf = write as (name: string, pieces: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;

/** A zip of one file, byte by byte as the format's description has it. */
export function aZip(name: string, content: string): Buffer {
  return aZipOf({ [name]: content });
}

/** The same with several files. */
export function aZipOf(files: Readonly<Record<string, string>>): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(files)) {
    const plain = Buffer.from(content);
    const packed = deflateRawSync(plain);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt16LE(0x21, 8);
    fields.writeUInt32LE(crc32(plain), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(plain.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    directory.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), fields, place, Buffer.from(name));
    locals.push(local);
    at += local.length;
  }
  const count = Object.keys(files).length;
  const end = Buffer.alloc(18);
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...locals, ...directory, Buffer.from('PK\x05\x06'), end]);
}
