/*
 * The vectors of a conversation as text: first the number of each vector's chunk, four bytes each, lowest byte first, then
 * the vectors one behind the other. A long chunk has several.
 */

export interface MessageVectors {
  /** The chunk of each vector; ascending. */
  chunkIndexes: readonly number[];
  vectors: Int8Array;
}

const numberBytes = 4;

export function packed({ chunkIndexes, vectors }: MessageVectors): string {
  const bytes = Buffer.alloc(chunkIndexes.length * numberBytes + vectors.length);
  for (const [place, index] of chunkIndexes.entries()) bytes.writeUInt32LE(index, place * numberBytes);
  bytes.set(new Uint8Array(vectors.buffer, vectors.byteOffset, vectors.length), chunkIndexes.length * numberBytes);
  return bytes.toString('base64');
}

export function unpacked(text: string, count: number): MessageVectors {
  const bytes = Buffer.from(text, 'base64');
  const begin = count * numberBytes;
  return {
    chunkIndexes: Array.from({ length: count }, (_, place) => bytes.readUInt32LE(place * numberBytes)),
    vectors: new Int8Array(bytes.buffer, bytes.byteOffset + begin, bytes.length - begin),
  };
}
