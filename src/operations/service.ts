import type { ReadingWeights } from '../answers/read-answer.js';
import type { Audit } from '../auth/audit.js';
import type { KeyedMutex } from '../concurrency/locks.js';
import type { Embedder } from '../embeddings/contract.js';
import type { DeepIndex } from '../indexing/deep/deep-index.js';
import type { Encoding } from '../indexing/deep/encoding.js';
import type { Digests } from '../indexing/digests.js';
import type { Tagging } from '../indexing/facts/tagging.js';
import type { Indexer } from '../indexing/indexer.js';
import type { Chunking } from '../indexing/rows.js';
import type { VectorIndex } from '../indexing/vector-index.js';
import type { InsertPolicy } from '../ingestion/prepare.js';
import type { SecretPolicy } from '../ingestion/secret-policy.js';
import type { LanguageModel } from '../language-model/contract.js';
import type { Conversation, Limits } from '../model/conversation.js';
import type { Observer } from '../observability/observer.js';
import type { Reader } from '../reading/contract.js';
import type { Records } from '../records/open.js';
import type { Weights } from '../retrieval/features.js';
import type { Distance } from '../stores/vector/contract.js';
import type { Tokenizer } from '../tokenizer/contract.js';
import type { ImportJobs } from './imports/job.js';

export interface ServiceSettings {
  limits: Limits;
  insertPolicy: InsertPolicy;
  secretPolicy: SecretPolicy;
  allowTrustedAppends: boolean;
  /** Captures are complete message lists, as in an import: one that begins differently was edited. */
  sentWhole?: boolean;
  /** The stores accept no writes, so operations that report their own changes must report none. */
  dryRun: boolean;
  chunking: Chunking['settings']['chunking'];
  retrieval: RetrievalSettings;
  distance: Distance;
  ask: AskSettings;
}

export interface AskSettings {
  maxContextTokens: number;
  /** Count tokens even when a request does not ask for it. */
  budgetAlways: boolean;
}

export interface RetrievalSettings {
  vectorScoreThreshold: number;
  keywordEnabled: boolean;
  keywordCandidateLimit: number;
  keywordWeight: number;
  metadataWeight: number;
  candidateMultiplier: number;
  /** Whether searches are re-ranked by the reading model by default. */
  rerank: boolean;
  weights: Weights;
  deepWeight: number;
}

/** Everything an operation may use. Nothing is global: the clock and the id generator are injected like the stores. */
export interface Service {
  settings: ServiceSettings;
  records: Records;
  vectors: VectorIndex;
  embedder: Embedder;
  tokenizer: Tokenizer;
  /** Reads hits for answers; absent where `models.reader` is off. */
  reading?: { reader: Reader; weights: ReadingWeights };
  /** The user's own model that phrases answers; absent unless `ask.model` is configured. */
  askModel?: LanguageModel;
  /** Extracts facts from messages in the background; absent where `models.tagger` is off. */
  tagging?: Tagging;
  /** The reading model's vectors of messages; absent where `models.deep_index` or `models.reader` is off. */
  deep?: DeepIndex;
  /** Computes those vectors in the background; absent where they are off, and in commands. */
  encoding?: Encoding;
  /** Background imports; absent where nothing is written. */
  imports?: ImportJobs;
  indexer: Indexer;
  digests: Digests;
  audit: Audit;
  /** Serializes captures of one thread. */
  mutex: KeyedMutex;
  /** Loads the check of conversations by their schema; the check throws `invalid_input`. */
  schemaCheck: () => Promise<(conversation: Conversation) => void>;
  now: () => string;
  newId: () => string;
  observer: Observer;
}
