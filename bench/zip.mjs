// A zip of one file, written while it is read: no library writes what we only need to read.
import * as zlib from 'node:zlib';

export async function* zipOf(name, pieces) {
  const path = Buffer.from(name);
  let written = 0;
  const out = (buffer) => {
    written += buffer.length;
    return buffer;
  };
  // Bit 3: sizes and checksum follow the content.
  const common = (checksum, packed, size) => {
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 2);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(checksum, 10);
    fields.writeUInt32LE(packed, 14);
    fields.writeUInt32LE(size, 18);
    fields.writeUInt16LE(path.length, 22);
    return fields;
  };
  yield out(Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common(0, 0, 0), path]));
  const deflate = zlib.createDeflateRaw({ level: 1 });
  let checksum = 0;
  let size = 0;
  const feeding = (async () => {
    for await (const piece of pieces) {
      checksum = sum(piece, checksum);
      size += piece.length;
      if (!deflate.write(piece)) await new Promise((drained) => deflate.once('drain', drained));
    }
    deflate.end();
  })();
  let packed = 0;
  for await (const piece of deflate) {
    packed += piece.length;
    yield out(piece);
  }
  await feeding;
  const fields = common(checksum, packed, size);
  yield out(Buffer.concat([Buffer.from('PK\x07\x08', 'latin1'), fields.subarray(10, 22)]));
  const start = written;
  const attributes = Buffer.alloc(14);
  const entry = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, attributes, path]);
  yield entry;
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length, 12);
  end.writeUInt32LE(start, 16);
  yield end;
}

/** Newer versions of Node have it built in. */
const sum = zlib.crc32 ?? slowSum;

const table = Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

function slowSum(bytes, before) {
  let value = ~before;
  for (const byte of bytes) value = (value >>> 8) ^ table[(value ^ byte) & 0xff];
  return ~value >>> 0;
}
