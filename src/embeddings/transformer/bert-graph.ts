import { unusable, type Weights } from './model-file.js';

/*
 * Builds the graph of a BERT encoder as an ONNX file for the runtime.
 */

/** The fields of a BERT model's config.json that determine the computation. */
interface BertShape {
  layers: number;
  heads: number;
  hidden: number;
  intermediate: number;
  vocabulary: number;
  positions: number;
  tokenTypes: number;
  epsilon: number;
}

/**
 * Validates config.json. Throws `StartupError` for an architecture that is only supported as an exported model.onnx.
 */
export function bertShape(config: Record<string, unknown>): BertShape {
  const expected = { model_type: 'bert', hidden_act: 'gelu', position_embedding_type: 'absolute' };
  for (const [name, value] of Object.entries(expected)) {
    const found = config[name] ?? value;
    if (found !== value) {
      throw unusable(`config.json has the ${name} ${JSON.stringify(found)}, which needs the model as model.onnx`);
    }
  }
  const whole = (name: string) => {
    const value = config[name];
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) {
      throw unusable(`config.json has no usable ${name}`);
    }
    return value;
  };
  return {
    layers: whole('num_hidden_layers'),
    heads: whole('num_attention_heads'),
    hidden: whole('hidden_size'),
    intermediate: whole('intermediate_size'),
    vocabulary: whole('vocab_size'),
    positions: whole('max_position_embeddings'),
    tokenTypes: whole('type_vocab_size'),
    epsilon: typeof config.layer_norm_eps === 'number' ? config.layer_norm_eps : 1e-12,
  };
}

const microsoft = 'com.microsoft';

/**
 * Builds a BERT encoder as an ONNX model from its weights. It uses the runtime's fused operators directly, because its
 * optimizer would produce them from the longer standard form anyway.
 */
export function bertModel(weights: Weights, shape: BertShape): Uint8Array {
  const { hidden, intermediate, heads, epsilon } = shape;
  const prefix = weights.has('embeddings.word_embeddings.weight') ? '' : 'bert.';
  const constants = new Map<string, Constant>();
  const nodes: Node[] = [];
  const read = (name: string, ...sizes: number[]) => weights.read(prefix + name, sizes);
  const constant = (name: string, values: Float32Array, ...sizes: number[]) => {
    constants.set(name, { shape: sizes, values });
    return name;
  };
  const copy = (name: string, ...sizes: number[]) => constant(name, read(name, ...sizes), ...sizes);
  const turned = (name: string, rows: number, columns: number) =>
    constant(name, transposed([read(name, rows, columns)], columns), columns, rows);
  const node = (made: Node) => {
    nodes.push(made);
    return made.output;
  };
  const normalise = (output: string, inputs: [string, string], name: string, bias: string) => {
    const scale = copy(`${name}.weight`, hidden);
    const shift = copy(`${name}.bias`, hidden);
    const attributes = { epsilon: { float: epsilon } };
    const all = [...inputs, scale, shift, bias];
    return node({ operator: 'SkipLayerNormalization', inputs: all, output, attributes, domain: microsoft });
  };
  const multiply = (output: string, inputs: [string, string]) => node({ operator: 'MatMul', inputs, output });

  let state = node({
    operator: 'EmbedLayerNormalization',
    inputs: [
      'input_ids',
      '',
      copy('embeddings.word_embeddings.weight', shape.vocabulary, hidden),
      constant('positions', placeEmbeddings(read, shape), shape.positions, hidden),
      '',
      copy('embeddings.LayerNorm.weight', hidden),
      copy('embeddings.LayerNorm.bias', hidden),
    ],
    output: 'embedded',
    unused: ['lengths'],
    attributes: { epsilon: { float: epsilon } },
    domain: microsoft,
  });
  for (let layer = 0; layer < shape.layers; layer++) {
    const at = `encoder.layer.${layer}`;
    const projections = ['query', 'key', 'value'].map((name) => `${at}.attention.self.${name}`);
    const joined = transposed(
      projections.map((name) => read(`${name}.weight`, hidden, hidden)),
      hidden,
    );
    const biases = projections.flatMap((name) => [...read(`${name}.bias`, hidden)]);
    const attended = node({
      operator: 'Attention',
      inputs: [
        state,
        constant(`${at}.projections`, joined, hidden, 3 * hidden),
        constant(`${at}.biases`, Float32Array.from(biases), 3 * hidden),
        'attention_mask',
      ],
      output: `${at}.attended`,
      attributes: { num_heads: heads },
      domain: microsoft,
    });
    const mixed = multiply(`${at}.mixed`, [attended, turned(`${at}.attention.output.dense.weight`, hidden, hidden)]);
    const mixedBias = copy(`${at}.attention.output.dense.bias`, hidden);
    const settled = normalise(`${at}.settled`, [mixed, state], `${at}.attention.output.LayerNorm`, mixedBias);
    const wide = multiply(`${at}.wide`, [settled, turned(`${at}.intermediate.dense.weight`, intermediate, hidden)]);
    const active = node({
      operator: 'BiasGelu',
      inputs: [wide, copy(`${at}.intermediate.dense.bias`, intermediate)],
      output: `${at}.active`,
      domain: microsoft,
    });
    const narrow = multiply(`${at}.narrow`, [active, turned(`${at}.output.dense.weight`, hidden, intermediate)]);
    const narrowBias = copy(`${at}.output.dense.bias`, hidden);
    state = normalise(`${at}.state`, [narrow, settled], `${at}.output.LayerNorm`, narrowBias);
  }
  return onnxFile({ inputs: ['input_ids', 'attention_mask'], nodes, constants, output: { name: state, size: hidden } });
}

/** A single sentence uses only the first token type, so that embedding is added to every position. */
function placeEmbeddings(read: (name: string, ...sizes: number[]) => Float32Array, shape: BertShape): Float32Array {
  const types = read('embeddings.token_type_embeddings.weight', shape.tokenTypes, shape.hidden);
  const places = read('embeddings.position_embeddings.weight', shape.positions, shape.hidden);
  return places.map((value, index) => value + (types[index % shape.hidden] ?? 0));
}

/** Stacks matrices with rows of `columns` numbers and transposes the result. */
function transposed(matrices: readonly Float32Array[], columns: number): Float32Array {
  const rows = matrices.reduce((sum, matrix) => sum + matrix.length / columns, 0);
  const result = new Float32Array(rows * columns);
  let row = 0;
  for (const matrix of matrices) {
    for (let begin = 0; begin < matrix.length; begin += columns, row++) {
      for (let column = 0; column < columns; column++) result[column * rows + row] = matrix[begin + column] ?? 0;
    }
  }
  return result;
}

/*
 * Writes ONNX models: just enough of the format (Protocol Buffers; field numbers from onnx.proto) for a graph of nodes
 * over constant tensors. Weights without a graph get one here, so that a single runtime runs all models.
 */

interface Node {
  operator: string;
  inputs: readonly string[];
  output: string;
  /** Additional outputs that the operator requires. */
  unused?: readonly string[];
  /** Whole numbers are written as integers, so a float with an integral value is given as `{ float }`. */
  attributes?: Record<string, number | { float: number }>;
  /** The runtime's own operators are in `com.microsoft`. */
  domain?: string;
}

interface Graph {
  /** Each of 32-bit integers, batch × length. */
  inputs: readonly string[];
  nodes: readonly Node[];
  constants: ReadonlyMap<string, Constant>;
  /** The name of the result and the size of its last axis. */
  output: { name: string; size: number };
}

interface Constant {
  shape: readonly number[];
  values: Float32Array | Uint8Array;
}

function onnxFile({ inputs, nodes, constants, output }: Graph): Uint8Array {
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

/** A nested message. Its parts are concatenated only at the end, so that no weight is copied more than once. */
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

/**
 * Seven bits per byte, least significant first, with the high bit set on all but the last. Non-negative numbers only.
 */
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
