import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readModelFolder } from '../../../src/embeddings/transformer/folder.js';
import { aModelFolder, aTokenizer } from './model-folder.js';

const tokenizer = { 'tokenizer.json': aTokenizer() };

async function read(files: Parameters<typeof aModelFolder>[0]) {
  const folder = await aModelFolder({ ...tokenizer, ...files });
  const { weights, ...rest } = await readModelFolder(folder);
  return { ...rest, weights: { kind: weights.kind, file: weights.file.slice(folder.length + 1) } };
}

describe('a model folder', () => {
  it.each([
    [['model.onnx', 'onnx/model.onnx', 'model.safetensors'], 'model.onnx'],
    [['onnx/model_quantized.onnx', 'onnx/model.onnx'], join('onnx', 'model.onnx')],
    [['onnx/model_quantized.onnx', 'onnx/model_fp16.onnx'], join('onnx', 'model_quantized.onnx')],
    [['onnx/model_qint8_arm64.onnx'], join('onnx', 'model_qint8_arm64.onnx')],
    [['model.safetensors'], 'model.safetensors'],
    [['weights.fp16.safetensors'], 'weights.fp16.safetensors'],
  ])('with %j uses %s', async (names, file) => {
    const { weights } = await read(Object.fromEntries(names.map((name) => [name, ''])));
    expect(weights.file).toBe(file);
  });

  it.each([
    [{}, 'no model.onnx, no onnx/model.onnx, no model.safetensors and no model.bin'],
    [{ 'a.onnx': '', 'b.onnx': '' }, '2 .onnx files'],
    [{ 'a.safetensors': '', 'b.safetensors': '' }, 'several .safetensors files'],
    [{ 'model.onnx': '', 'config.json': '{' }, 'config.json is not JSON'],
    [{ 'model.onnx': '', 'modules.json': [{ type: 'sentence_transformers.models.Dense' }] }, 'the step Dense'],
    [{ 'model.onnx': '', '1_Pooling/config.json': { pooling_mode_lasttoken: true } }, 'pooling_mode_lasttoken'],
    [
      {
        'model.onnx': '',
        '1_Pooling/config.json': { pooling_mode_cls_token: true, pooling_mode_max_tokens: true },
      },
      'pooling_mode_cls_token with pooling_mode_max_tokens',
    ],
  ])('with %j is refused', async (files, message) => {
    await expect(read(files)).rejects.toThrow(message);
  });

  it('that does not exist is refused', async () => {
    await expect(readModelFolder('/nowhere/at/all')).rejects.toThrow('its folder cannot be read');
  });

  it.each([
    [{}, 'mean'],
    [{ '1_Pooling/config.json': { pooling_mode_cls_token: true, pooling_mode_mean_tokens: false } }, 'cls'],
    [{ '1_Pooling/config.json': { pooling_mode_max_tokens: true, word_embedding_dimension: 8 } }, 'max'],
    [{ '1_Pooling/config.json': { pooling_mode_mean_sqrt_len_tokens: true } }, 'mean'],
  ])('with %j pools by %s', async (files, pooling) => {
    expect((await read({ 'model.onnx': '', ...files })).pooling).toBe(pooling);
  });

  it.each([
    [{}, 512],
    [{ 'config.json': { max_position_embeddings: 128 } }, 128],
    [{ 'config.json': { max_position_embeddings: 514 }, 'tokenizer_config.json': { model_max_length: 1e30 } }, 514],
    [{ 'tokenizer_config.json': { model_max_length: 384 } }, 384],
    [{ 'sentence_bert_config.json': { max_seq_length: 256 }, 'tokenizer_config.json': { model_max_length: 512 } }, 256],
    [{ 'sentence_bert_config.json': { max_seq_length: 4096 }, 'config.json': { max_position_embeddings: 512 } }, 512],
  ])('with %j reads up to %d tokens', async (files, length) => {
    expect((await read({ 'model.onnx': '', ...files })).tokenizer.maxLength).toBe(length);
  });

  it('counts as its own the files that decide the vectors', async () => {
    const others = { 'README.md': '', 'onnx/model_int8.onnx': '', 'model.onnx_data': '', 'vocab.txt': '' };
    const { files } = await read({
      'model.onnx': '',
      'config.json': {},
      ...others,
      '1_Pooling/config.json': { pooling_mode_max_tokens: true },
    });
    expect(files).toEqual([
      '1_Pooling/config.json',
      'config.json',
      'model.onnx',
      'model.onnx_data',
      'tokenizer.json',
      'vocab.txt',
    ]);
  });
});
