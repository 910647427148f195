/** As much of the protobuf encoding as OTLP needs: a message is the concatenation of its fields. */
export type Field = Uint8Array;

export function message(number: number, fields: readonly Field[]): Field {
  const body = Buffer.concat(fields);
  return Buffer.concat([tag(number, 2), varint(body.length), body]);
}

export function text(number: number, value: string): Field {
  return bytes(number, Buffer.from(value, 'utf8'));
}

export function bytes(number: number, value: Uint8Array): Field {
  return Buffer.concat([tag(number, 2), varint(value.length), value]);
}

/** Also an enum or a boolean. Not for negative numbers: OTLP sends none of ours. */
export function whole(number: number, value: number): Field {
  return Buffer.concat([tag(number, 0), varint(value)]);
}

export function fixed64(number: number, value: bigint): Field {
  return Buffer.concat([tag(number, 1), sixtyFour(value)]);
}

export function double(number: number, value: number): Field {
  return Buffer.concat([tag(number, 1), doubleBytes(value)]);
}

export function packedFixed64(number: number, values: readonly bigint[]): Field {
  return bytes(number, Buffer.concat(values.map(sixtyFour)));
}

export function packedDoubles(number: number, values: readonly number[]): Field {
  return bytes(number, Buffer.concat(values.map(doubleBytes)));
}

function tag(number: number, wireType: number): Uint8Array {
  return varint(number * 8 + wireType);
}

function varint(value: number): Uint8Array {
  const groups: number[] = [];
  let rest = value;
  while (rest >= 128) {
    groups.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return Uint8Array.from([...groups, rest]);
}

function sixtyFour(value: bigint): Buffer {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(BigInt.asUintN(64, value));
  return buffer;
}

function doubleBytes(value: number): Buffer {
  const buffer = Buffer.alloc(8);
  buffer.writeDoubleLE(value);
  return buffer;
}
