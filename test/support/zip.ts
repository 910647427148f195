import { crc32, deflateRawSync } from 'node:zlib';
// @ts-expect-error A plain script, shared with the benchmarks.
import { zipOf as write } from '../../bench/zip.mjs';

/** A zip of one file of any size, piece by piece. */
export const zipOf = write as (name: string, pieces: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;

/** A zip of one file, byte by byte as the format's description has it. */
export function aZip(name: string, content: string): Buffer {
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
  const made = Buffer.from([20, 0]);
  const directory = Buffer.concat([Buffer.from('PK\x01\x02'), made, fields, Buffer.alloc(14), Buffer.from(name)]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(local.length, 12);
  return Buffer.concat([local, directory, Buffer.from('PK\x05\x06'), end]);
}
