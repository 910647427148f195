/** The values of `limits.*` in the configuration. */
export interface Limits {
  maxMessages: number;
  maxMessageBytes: number;
  maxBodyBytes: number;
  maxImportBytes: number;
  maxMetadataBytes: number;
  maxSourceLength: number;
  maxTitleLength: number;
  maxSummaryLength: number;
  maxTopK: number;
  maxDepth: number;
}
