import { describe, expect, it } from 'vitest';
import { createSentencePieces, readTokenizer } from '../../../src/embeddings/transformer/tokenizer.js';
import { aModelFolder, aTokenizer, pieces } from './model-folder.js';

async function encoding(files: Parameters<typeof aModelFolder>[0], maxLength = 100) {
  const plan = await readTokenizer(await aModelFolder(files));
  const encode = createSentencePieces({ ...plan, maxLength });
  return (text: string) => encode(text).map((id) => pieces[id]);
}

describe('a tokenizer from tokenizer.json', () => {
  it('sets the marks of the template around the pieces', async () => {
    const encode = await encoding({ 'tokenizer.json': aTokenizer() });
    expect(encode('The gardens!')).toEqual(['[CLS]', 'the', 'gard', '##en', '##s', '!', '[SEP]']);
    expect(encode('')).toEqual(['[CLS]', '[SEP]']);
  });

  it('reads unknown words as the unknown piece and special names as themselves', async () => {
    const encode = await encoding({ 'tokenizer.json': aTokenizer() });
    expect(encode('the zebra[SEP]the')).toEqual(['[CLS]', 'the', '[UNK]', '[SEP]', 'the', '[SEP]']);
  });

  it('cuts a long text and keeps the last mark', async () => {
    const encode = await encoding({ 'tokenizer.json': aTokenizer() }, 5);
    expect(encode('the the the the the')).toEqual(['[CLS]', 'the', 'the', 'the', '[SEP]']);
    expect(encode('the '.repeat(100_000))).toHaveLength(5);
  });

  it('keeps the case where the model does', async () => {
    const normalizer = { type: 'BertNormalizer', lowercase: false };
    const encode = await encoding({ 'tokenizer.json': aTokenizer({ normalizer }) });
    expect(encode('Rose rose café')).toEqual(['[CLS]', 'Rose', 'rose', 'café', '[SEP]']);
  });

  it('takes the marks of a BertProcessing', async () => {
    const processor = { type: 'BertProcessing', cls: ['[CLS]', 2], sep: ['[SEP]', 3] };
    const encode = await encoding({ 'tokenizer.json': aTokenizer({ post_processor: processor }) });
    expect(encode('the')).toEqual(['[CLS]', 'the', '[SEP]']);
  });

  it.each([
    [{ model: { type: 'Unigram', vocab: [['a', -1]] } }, 'its tokenizer is "Unigram"'],
    [{ model: { type: 'BPE', vocab: {} } }, 'its tokenizer is "BPE"'],
    [{ normalizer: { type: 'NFC' } }, 'its normalizer is "NFC"'],
    [{ normalizer: null }, 'its normalizer is "none"'],
    [{ pre_tokenizer: { type: 'Whitespace' } }, 'its pre-tokenizer is "Whitespace"'],
    [{ post_processor: { type: 'ByteLevel' } }, 'post-processor'],
    [{ model: 3 }, 'value at model'],
  ])('refuses %j', async (changes, message) => {
    const folder = await aModelFolder({ 'tokenizer.json': aTokenizer(changes) });
    const refusal = { name: 'StartupError', code: 'driver_unavailable', message: expect.stringContaining(message) };
    await expect(readTokenizer(folder)).rejects.toMatchObject(refusal);
  });
});

describe('a tokenizer from vocab.txt', () => {
  it('is the uncased original', async () => {
    const encode = await encoding({ 'vocab.txt': `${pieces.join('\n')}\n` });
    expect(encode('The ROSE garden')).toEqual(['[CLS]', 'the', 'rose', 'gard', '##en', '[SEP]']);
  });

  it('keeps the case when tokenizer_config.json says so', async () => {
    const config = { do_lower_case: false };
    const encode = await encoding({ 'vocab.txt': pieces.join('\r\n'), 'tokenizer_config.json': config });
    expect(encode('Rose rose')).toEqual(['[CLS]', 'Rose', 'rose', '[SEP]']);
  });

  it('names a special piece that is missing', async () => {
    const folder = await aModelFolder({ 'vocab.txt': 'a\nb\n' });
    await expect(readTokenizer(folder)).rejects.toThrow('the tokenizer has no [UNK]');
  });

  it('is missed when there is neither file', async () => {
    await expect(readTokenizer(await aModelFolder({}))).rejects.toThrow('neither tokenizer.json nor vocab.txt');
  });
});
