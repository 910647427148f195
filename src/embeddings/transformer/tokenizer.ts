import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { createWordPieces, slices, uncased, unknownPiece, type WordPieceRules } from '../word-pieces.js';
import { readJsonFile, unusable } from './model-file.js';

/** Everything needed to convert a text to token ids. */
export interface TokenizerPlan {
  /** In the order of their ids. */
  vocabulary: readonly string[];
  rules: WordPieceRules;
  /** The id for words that the vocabulary cannot spell. */
  unknown: number;
  /** Tokens before and after every text, such as `[CLS]` and `[SEP]`. */
  before: readonly number[];
  after: readonly number[];
  /** Special tokens, which are recognized wherever they occur in a text. */
  special: readonly { content: string; id: number }[];
  padding: number;
  /** The maximum number of token ids, including those before and after. */
  maxLength: number;
}

/** The token ids of a text, identical to those of the model's own tokenizer, truncated to `maxLength`. */
export function createSentencePieces(plan: TokenizerPlan): (text: string) => number[] {
  const { vocabulary, rules, unknown, before, after, special, maxLength } = plan;
  const splitter = createWordPieces(vocabulary, rules);
  const room = maxLength - before.length - after.length;
  const ids = new Map(special.map(({ content, id }) => [content, id]));
  const names = special.length === 0 ? undefined : new RegExp(`(${special.map(escaped).join('|')})`, 'u');

  return (text) => {
    const pieces: number[] = [];
    // Text beyond the model's maximum length is not tokenized.
    for (const slice of slices(text)) {
      for (const part of names === undefined ? [slice] : slice.split(names)) {
        const id = ids.get(part);
        if (id !== undefined) pieces.push(id);
        else for (const piece of splitter.split(part)) pieces.push(piece === unknownPiece ? unknown : piece);
      }
      if (pieces.length >= room) break;
    }
    return [...before, ...pieces.slice(0, room), ...after];
  };
}

function escaped({ content }: { content: string }): string {
  return content.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

type TokenizerFile = Omit<TokenizerPlan, 'maxLength'>;

/** Reads tokenizer.json, or vocab.txt if there is none. Throws `StartupError` for an unsupported tokenizer. */
export async function readTokenizer(folder: string): Promise<TokenizerFile> {
  const file = await readJsonFile(folder, 'tokenizer.json', tokenizerSchema);
  if (file !== undefined) return fromTokenizerFile(file);
  const text = await readFile(join(folder, 'vocab.txt'), 'utf8').catch((cause: unknown) => {
    throw unusable('the folder has neither tokenizer.json nor vocab.txt', cause);
  });
  const config = await readJsonFile(folder, 'tokenizer_config.json', configSchema);
  return fromVocabulary(text.split(/\r?\n/), config ?? {});
}

const flag = z.boolean().nullish();

const configSchema = z.object({ do_lower_case: flag, strip_accents: flag, tokenize_chinese_chars: flag });

const tokenizerSchema = z.object({
  model: z.object({
    type: z.string().default('WordPiece'),
    vocab: z.unknown(),
    unk_token: z.string().nullish(),
    continuing_subword_prefix: z.string().default('##'),
    max_input_chars_per_word: z.number().default(100),
  }),
  normalizer: z
    .object({ type: z.string(), lowercase: flag, strip_accents: flag, handle_chinese_chars: flag, clean_text: flag })
    .nullish(),
  pre_tokenizer: z.object({ type: z.string() }).nullish(),
  post_processor: z.unknown(),
  added_tokens: z.array(z.object({ id: z.number(), content: z.string() })).default([]),
  padding: z.object({ pad_id: z.number() }).nullish(),
});

function fromTokenizerFile(file: z.output<typeof tokenizerSchema>): TokenizerFile {
  const { model, normalizer, pre_tokenizer: splitter, added_tokens: special } = file;
  only('tokenizer', model.type, 'WordPiece');
  only('normalizer', normalizer?.type, 'BertNormalizer');
  only('pre-tokenizer', splitter?.type, 'BertPreTokenizer');
  only('sign of a continued word', model.continuing_subword_prefix, '##');
  only('longest word', model.max_input_chars_per_word, 100);
  only('setting of clean_text', normalizer?.clean_text ?? true, true);
  const vocabulary = inOrder(z.record(z.string(), z.int().min(0)).parse(model.vocab));
  const idOf = (name: string) => special.find(({ content }) => content === name)?.id ?? vocabulary.indexOf(name);
  return {
    vocabulary,
    rules: rules({
      lowerCase: normalizer?.lowercase,
      stripAccents: normalizer?.strip_accents,
      splitIdeographs: normalizer?.handle_chinese_chars,
    }),
    unknown: known(idOf(model.unk_token ?? '[UNK]'), 'piece for unknown words'),
    ...template(file.post_processor, idOf),
    special,
    padding: file.padding?.pad_id ?? Math.max(0, idOf('[PAD]')),
  };
}

function fromVocabulary(lines: string[], config: z.output<typeof configSchema>): TokenizerFile {
  const vocabulary = lines.at(-1) === '' ? lines.slice(0, -1) : lines;
  const id = (name: string) => known(vocabulary.indexOf(name), name);
  const special = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'].filter((name) => vocabulary.includes(name));
  return {
    vocabulary,
    rules: rules({
      lowerCase: config.do_lower_case,
      stripAccents: config.strip_accents,
      splitIdeographs: config.tokenize_chinese_chars,
    }),
    unknown: id('[UNK]'),
    before: [id('[CLS]')],
    after: [id('[SEP]')],
    special: special.map((content) => ({ content, id: id(content) })),
    padding: Math.max(0, vocabulary.indexOf('[PAD]')),
  };
}

/** Defaults are those of the original uncased model; accents are stripped along with the case. */
function rules(given: { [Rule in keyof WordPieceRules]: boolean | null | undefined }): WordPieceRules {
  const lowerCase = given.lowerCase ?? uncased.lowerCase;
  return {
    lowerCase,
    stripAccents: given.stripAccents ?? lowerCase,
    splitIdeographs: given.splitIdeographs ?? uncased.splitIdeographs,
  };
}

const sequence = z.object({ Sequence: z.unknown() });
const specialToken = z.object({ SpecialToken: z.object({ id: z.string() }) });
const processor = z.discriminatedUnion('type', [
  z.object({ type: z.literal('TemplateProcessing'), single: z.array(z.union([sequence, specialToken])) }),
  z.object({
    type: z.enum(['BertProcessing', 'RobertaProcessing']),
    cls: z.tuple([z.string(), z.number()]),
    sep: z.tuple([z.string(), z.number()]),
  }),
]);

function template(value: unknown, idOf: (name: string) => number): { before: number[]; after: number[] } {
  if (value === null || value === undefined) return { before: [], after: [] };
  const { data } = processor.safeParse(value);
  if (data === undefined) throw unusable('tokenizer.json has a post-processor of a kind that is not supported');
  if (data.type !== 'TemplateProcessing') return { before: [data.cls[1]], after: [data.sep[1]] };
  const parts = data.single.map((part) =>
    'SpecialToken' in part ? known(idOf(part.SpecialToken.id), 'mark') : 'text',
  );
  const at = parts.indexOf('text');
  const numbers = (some: readonly (number | 'text')[]) => some.filter((part) => part !== 'text');
  return { before: numbers(parts.slice(0, at)), after: numbers(parts.slice(at)) };
}

function inOrder(ids: Record<string, number>): string[] {
  const size = Object.values(ids).reduce((most, id) => Math.max(most, id + 1), 0);
  const vocabulary: string[] = Array(size).fill('');
  for (const [piece, id] of Object.entries(ids)) vocabulary[id] = piece;
  return vocabulary;
}

function only<Value>(what: string, found: Value, supported: Value): void {
  if (found === supported) return;
  throw unusable(
    `its ${what} is ${JSON.stringify(found ?? 'none')}, and only ${JSON.stringify(supported)} is supported`,
  );
}

function known(id: number, what: string): number {
  if (id < 0) throw unusable(`the tokenizer has no ${what}`);
  return id;
}
