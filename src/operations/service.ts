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
import type { Conversation } from '../model/conversation.js';
import type { Limits } from '../model/limits.js';
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
  /** Captures hold the whole list of messages, as those of an import do: what begins otherwise was changed. */
  sentWhole?: boolean;
  /** The stores take no writes: what counts its own changes has to say that there were none. */
  dryRun: boolean;
  chunking: Chunking['settings']['chunking'];
  retrieval: RetrievalSettings;
  distance: Distance;
  ask: AskSettings;
}

export interface AskSettings {
  maxContextTokens: number;
  /** Tokens are counted also when a request does not ask for it. */
  budgetAlways: boolean;
}

export interface RetrievalSettings {
  vectorScoreThreshold: number;
  keywordEnabled: boolean;
  keywordCandidateLimit: number;
  keywordWeight: number;
  metadataWeight: number;
  candidateMultiplier: number;
  /** Whether a search that does not say is ordered by the reading model. */
  rerank: boolean;
  weights: Weights;
  deepWeight: number;
}

/** Everything an operation may use. Nothing is global: the clock and the id maker are handed in like the stores. */
export interface Service {
  settings: ServiceSettings;
  records: Records;
  vectors: VectorIndex;
  embedder: Embedder;
  tokenizer: Tokenizer;
  /** Reads hits for answers; absent where `models.reader` is off. */
  reading?: { reader: Reader; weights: ReadingWeights };
  /** The user's own model that puts answers into words; absent unless `ask.model` is configured. */
  askModel?: LanguageModel;
  /** Finds facts in messages behind the inserts; absent where `models.tagger` is off. */
  tagging?: Tagging;
  /** The vectors that the reading model made of messages; absent where `models.deep_index` or `models.reader` is off. */
  deep?: DeepIndex;
  /** Makes those vectors behind the inserts; absent where they are off, and in commands. */
  encoding?: Encoding;
  /** Imports that go on behind their requests; absent where nothing is written. */
  imports?: ImportJobs;
  indexer: Indexer;
  digests: Digests;
  audit: Audit;
  /** Lets captures of one thread wait for each other. */
  mutex: KeyedMutex;
  validateSchema: (conversation: Conversation) => void;
  now: () => string;
  newId: () => string;
  observer: Observer;
}
