import { describe, expect, it } from 'vitest';
import { bertModel, bertShape } from '../../../src/embeddings/transformer/bert-graph.js';
import { fromBrainFloat16, fromFloat16, readSafetensors } from '../../../src/embeddings/transformer/model-file.js';
import { safetensors } from './model-folder.js';

describe('half precision', () => {
  it.each([
    [0x0000, 0],
    [0x3c00, 1],
    [0xc000, -2],
    [0x3555, 0.333251953125],
    [0x7bff, 65504],
    [0x0400, 2 ** -14],
    [0x0001, 2 ** -24],
    [0x83ff, -1023 * 2 ** -24],
    [0x7c00, Number.POSITIVE_INFINITY],
  ])('%i is %d', (half, value) => {
    expect(fromFloat16(Uint16Array.of(half))[0]).toBe(value);
  });

  it('of the brain kind has the range of single precision', () => {
    expect([...fromBrainFloat16(Uint16Array.of(0x3f80, 0xc040, 0x7f00))]).toEqual([1, -3, 2 ** 127]);
  });
});

describe('a safetensors file', () => {
  const bytes = safetensors({
    odd: { shape: [1], values: Float32Array.of(7) },
    two: { shape: [1, 2], values: Float32Array.of(1, 2) },
  });

  it('gives the numbers of a tensor', () => {
    const weights = readSafetensors(bytes);
    expect([weights.has('two'), weights.has('toString')]).toEqual([true, false]);
    expect([...weights.read('two', [1, 2])]).toEqual([1, 2]);
  });

  it.each([
    ['another shape', () => readSafetensors(bytes).read('two', [2]), 'has the shape 1×2 instead of 2'],
    ['a tensor it does not have', () => readSafetensors(bytes).read('three', [2]), 'no tensor three'],
    ['less than it promises', () => readSafetensors(bytes.slice(0, -1)).read('two', [1, 2]), 'truncated'],
    ['nothing', () => readSafetensors(new Uint8Array()), 'truncated'],
    ['no table', () => readSafetensors(Buffer.from('\x01\0\0\0\0\0\0\0{')), 'no readable table'],
  ])('with %s is refused', (_, reading, message) => {
    expect(reading).toThrow(message);
  });
});

describe('the graph of a BERT model', () => {
  const config = {
    model_type: 'bert',
    num_hidden_layers: 1,
    num_attention_heads: 2,
    hidden_size: 4,
    intermediate_size: 8,
    vocab_size: 12,
    max_position_embeddings: 16,
    type_vocab_size: 2,
  };

  it.each([
    [{ ...config, model_type: 'mpnet' }, 'the model_type "mpnet"'],
    [{ ...config, hidden_act: 'relu' }, 'the hidden_act "relu"'],
    [{ ...config, hidden_size: undefined }, 'no usable hidden_size'],
  ])('is refused for %j', (changed, message) => {
    expect(() => bertShape(changed)).toThrow(message);
  });

  it('names the tensor that is missing', () => {
    const weights = readSafetensors(safetensors({}));
    expect(() => bertModel(weights, bertShape(config))).toThrow('no tensor bert.embeddings.word_embeddings.weight');
  });
});
