/*
 * Writes ONNX models: just enough of the format (Protocol Buffers; field numbers from onnx.proto) for a graph of nodes
 * over constant tensors. Weights that come without a graph are given one here, so that a single runtime runs them all.
 */

export interface Node {
  operator: string;
  inputs: readonly string[];
  output: string;
  /** Additional outputs that the operator requires. */
  unused?: readonly string[];
  /** Whole numbers are written as integers, so a float that happens to be whole goes as `{ float }`. */
  attributes?: Record<string, number | { float: number }>;
  /** The runtime's own operators live in `com.microsoft`. */
  domain?: string;
}

export interface Graph {
  /** Each of 32-bit integers, batch × length. */
  inputs: readonly string[];
  nodes: readonly Node[];
  constants: ReadonlyMap<string, Constant>;
  /** The name of the result and the size of its last axis. */
  output: { name: string; size: number };
}

export interface Constant {
  shape: readonly number[];
  values: Float32Array | Uint8Array;
}

export function onnxFile({ inputs, nodes, constants, output }: Graph): Uint8Array {
  const graph = [
    ...nodes.map((node) => part(1, nodeParts(node))),
    text(2, 'sentence-embedding'),
    ...[...constants].map(([name, constant]) => part(5, tensorParts(name, constant))),
    ...inputs.map((name) => part(11, valueParts(name, { type: elementTypes.int32, sizes: ['batch', 'length'] }))),
    part(12, valueParts(output.name, { type: elementTypes.float32, sizes: ['batch', 'length', output.size] })),
  ];
  const operatorSets = [part(8, [text(1, ''), integer(2, 17)]), part(8, [text(1, 'com.microsoft'), integer(2, 1)])];
  return Buffer.concat([integer(1, 8), part(7, graph), ...operatorSets].flat());
}

type Bytes = Uint8Array;

const elementTypes = { float32: 1, uint8: 2, int32: 6 };
const attributeTypes = { float: 1, integer: 2 };

function nodeParts({ operator, inputs, output, unused = [], attributes = {}, domain = '' }: Node): Bytes[][] {
  return [
    ...inputs.map((name) => text(1, name)),
    ...[output, ...unused].map((name) => text(2, name)),
    text(3, output),
    text(4, operator),
    ...Object.entries(attributes).map(([name, value]) => part(5, attributeParts(name, value))),
    text(7, domain),
  ];
}

function attributeParts(name: string, value: number | { float: number }): Bytes[][] {
  if (typeof value === 'number') return [text(1, name), integer(3, value), integer(20, attributeTypes.integer)];
  return [text(1, name), float(2, value.float), integer(20, attributeTypes.float)];
}

function tensorParts(name: string, { shape, values }: Constant): Bytes[][] {
  const raw = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  const type = values instanceof Float32Array ? elementTypes.float32 : elementTypes.uint8;
  return [...shape.map((size) => integer(1, size)), integer(2, type), text(8, name), bytes(9, raw)];
}

function valueParts(name: string, { type, sizes }: { type: number; sizes: readonly (string | number)[] }): Bytes[][] {
  const shape = sizes.map((size) => part(1, [typeof size === 'number' ? integer(1, size) : text(2, size)]));
  return [text(1, name), part(2, [part(1, [integer(1, type), part(2, shape)])])];
}

/** A nested message. Its pieces stay apart until the end, so that no weight is copied more than once. */
function part(field: number, parts: readonly Bytes[][]): Bytes[] {
  const inner = parts.flat();
  return [tag(field, 2), varint(inner.reduce((sum, piece) => sum + piece.length, 0)), ...inner];
}

function bytes(field: number, content: Bytes): Bytes[] {
  return [tag(field, 2), varint(content.length), content];
}

function text(field: number, content: string): Bytes[] {
  return bytes(field, Buffer.from(content));
}

function integer(field: number, value: number): Bytes[] {
  return [tag(field, 0), varint(value)];
}

function float(field: number, value: number): Bytes[] {
  const content = Buffer.alloc(4);
  content.writeFloatLE(value);
  return [tag(field, 5), content];
}

function tag(field: number, wireType: number): Bytes {
  return varint(field * 8 + wireType);
}

/** Seven bits a byte, least first, the upper bit set on all but the last. Only for numbers that are not negative. */
function varint(value: number): Bytes {
  const content: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    content.push((rest % 0x80) + 0x80);
    rest = Math.floor(rest / 0x80);
  }
  content.push(rest);
  return Uint8Array.from(content);
}
