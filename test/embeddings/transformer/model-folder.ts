import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder with these files, objects as JSON; gone after the test. */
export async function aModelFolder(files: Record<string, string | Uint8Array | object>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'threadkeep-model-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) await put(folder, name, content);
  return folder;
}

export async function put(folder: string, name: string, content: string | Uint8Array | object): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  const isPlain = typeof content === 'object' && !(content instanceof Uint8Array);
  await writeFile(join(folder, name), isPlain ? JSON.stringify(content) : content);
}

export const pieces = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'the', 'gard', '##en', '##s', '!', 'café', 'Rose', 'rose'];

/** A tokenizer.json over `pieces`, changed where a test says so. */
export function aTokenizer(changes: Record<string, unknown> = {}): object {
  return {
    added_tokens: pieces.slice(0, 4).map((content, id) => ({ id, content, special: true })),
    normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, lowercase: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [
        { SpecialToken: { id: '[CLS]', type_id: 0 } },
        { Sequence: { id: 'A', type_id: 0 } },
        { SpecialToken: { id: '[SEP]', type_id: 0 } },
      ],
    },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      vocab: Object.fromEntries(pieces.map((piece, id) => [piece, id])),
    },
    ...changes,
  };
}

/** The bytes of a `.safetensors` file with these single-precision tensors. */
export function safetensors(tensors: Record<string, { shape: number[]; values: Float32Array }>): Uint8Array {
  let end = 0;
  const table = Object.fromEntries(
    Object.entries(tensors).map(([name, { shape, values }]) => {
      const begin = end;
      end += values.byteLength;
      return [name, { dtype: 'F32', shape, data_offsets: [begin, end] }];
    }),
  );
  const head = Buffer.from(JSON.stringify(table));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(head.length));
  const bodies = Object.values(tensors).map(({ values }) => Buffer.from(values.buffer));
  return Buffer.concat([length, head, ...bodies]);
}
