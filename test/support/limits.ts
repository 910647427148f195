import type { Limits } from '../../src/model/conversation.js';

/** The limits of the default configuration. */
export const limits: Limits = {
  maxMessages: 10_000,
  maxMessageBytes: 1_000_000,
  maxBodyBytes: 25_000_000,
  maxImportBytes: 4_000_000_000,
  maxMetadataBytes: 1_000_000,
  maxSourceLength: 128,
  maxTitleLength: 1024,
  maxSummaryLength: 2000,
  maxTopK: 100,
  maxDepth: 64,
};
