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
  /** Chunks are split by tokens, so the exact tokenizer is used if available, even when it is not enabled. */
  forChunks?: boolean;
  /** Loads the tables; by default from the optional package. */
  load?: (encoding: Encoding) => Promise<Vocabulary>;
}

/**
 * Opens the exact tokenizer when it is enabled or needed for chunks, and its package is installed; otherwise the
 * heuristic one. The status says which. Throws `StartupError` for an unknown encoding.
 */
export async function openTokenizer(options: OpenTokenizerOptions): Promise<{
  tokenizer: Tokenizer;
  status: TokenizerStatus;
}> {
  const { enabled, encoding, forChunks = false, load = loadVocabulary } = options;
  const known = encodings.find((name) => name === encoding);
  if (known === undefined) {
    throw new StartupError('config_invalid', `Unknown tokenizer.encoding "${encoding}".`, {
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
    // Not fatal: the heuristic tokenizer is used, and the status reports it with the fix.
    const message = 'Tokens are estimated because js-tiktoken cannot be loaded; run: npm install js-tiktoken';
    return { tokenizer: heuristic, status: { ...status, available: !enabled, message } };
  }
}
