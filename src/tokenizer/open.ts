import { StartupError } from '../model/errors.js';
import type { Tokenizer } from './contract.js';
import { createExactTokenizer, type Encoding, encodings, loadVocabulary, type Vocabulary } from './exact.js';
import { createHeuristicTokenizer } from './heuristic.js';

export interface TokenizerStatus {
  enabled: boolean;
  encoding: string;
  tokenizer_used: string;
  /** Whether the configured tokenizer is the one in use. */
  available: boolean;
  message?: string;
}

export interface OpenTokenizerOptions {
  enabled: boolean;
  encoding: string;
  /** Conversations are cut by tokens: exactly where that can be done, enabled or not. */
  forChunks?: boolean;
  /** Where the tables come from; the optional package unless told otherwise. */
  load?: (encoding: Encoding) => Promise<Vocabulary>;
}

/**
 * The exact tokenizer when it is enabled or chunks need one and its package is there, the heuristic one otherwise; the
 * status says which. Throws `StartupError` for an unknown encoding.
 */
export async function openTokenizer(options: OpenTokenizerOptions): Promise<{
  tokenizer: Tokenizer;
  status: TokenizerStatus;
}> {
  const { enabled, encoding, forChunks = false, load = loadVocabulary } = options;
  const known = encodings.find((name) => name === encoding);
  if (known === undefined) {
    throw new StartupError('config_invalid', `tokenizer.encoding "${encoding}" is not known.`, {
      hint: `Set it to one of: ${encodings.join(', ')}.`,
    });
  }
  const heuristic = createHeuristicTokenizer();
  const status = { enabled, encoding, tokenizer_used: heuristic.name };
  if (!enabled && !forChunks) return { tokenizer: heuristic, status: { ...status, available: true } };
  try {
    const tokenizer = createExactTokenizer(known, await load(known));
    return { tokenizer, status: { ...status, tokenizer_used: tokenizer.name, available: true } };
  } catch {
    // Nothing is lost: the heuristic counts instead, and the status says so and what to do.
    const message = 'Tokens are estimated because js-tiktoken cannot be loaded; run: npm install js-tiktoken';
    return { tokenizer: heuristic, status: { ...status, available: !enabled, message } };
  }
}
