/** The values of `limits.*` in the configuration. */
export interface Limits {
  max_messages: number;
  max_message_bytes: number;
  max_body_bytes: number;
  max_import_bytes: number;
  max_metadata_bytes: number;
  max_source_length: number;
  max_title_length: number;
  max_summary_length: number;
  max_top_k: number;
  max_depth: number;
}
