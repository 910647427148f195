import type { Limits } from '../../src/model/limits.js';

/** The limits of the default configuration. */
export const limits: Limits = {
  max_messages: 10_000,
  max_message_bytes: 1_000_000,
  max_body_bytes: 25_000_000,
  max_import_bytes: 4_000_000_000,
  max_metadata_bytes: 1_000_000,
  max_source_length: 128,
  max_title_length: 1024,
  max_summary_length: 2000,
  max_top_k: 100,
  max_depth: 64,
};
