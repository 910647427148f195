import { unusable } from './model-file.js';
import { type Constant, type Node, onnxFile } from './onnx-file.js';
import type { Weights } from './safetensors.js';

/** The part of a BERT model's config.json that decides what is computed. */
export interface BertShape {
  layers: number;
  heads: number;
  hidden: number;
  intermediate: number;
  vocabulary: number;
  positions: number;
  tokenTypes: number;
  epsilon: number;
}

/** Checks config.json. Throws `StartupError` for an architecture that only an exported model.onnx can bring. */
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
 * A BERT encoder as an ONNX model, from the weights alone. The runtime's fused operators are named directly: they are what
 * its optimiser would make of the longer standard form.
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

/** A sentence alone has only the first token type, so its embedding belongs to every position. */
function placeEmbeddings(read: (name: string, ...sizes: number[]) => Float32Array, shape: BertShape): Float32Array {
  const types = read('embeddings.token_type_embeddings.weight', shape.tokenTypes, shape.hidden);
  const places = read('embeddings.position_embeddings.weight', shape.positions, shape.hidden);
  return places.map((value, index) => value + (types[index % shape.hidden] ?? 0));
}

/** Matrices of rows of `columns` numbers, one below the other, with rows and columns exchanged. */
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
