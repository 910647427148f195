import type { Statement } from '../facts/extract.js';
import type { Json } from '../model/json.js';
import type { Steps } from '../model/steps.js';
import type { NormalisedMessage } from './normalise-messages.js';
import { conversationSummary } from './summarise.js';
import { findTags } from './tags.js';
import { findTopics } from './topics.js';

interface Enrichable {
  source: string;
  title?: string;
  messages: readonly NormalisedMessage[];
  /** What the messages state: their predicates become tags. */
  statements?: readonly Pick<Statement, 'predicate'>[];
  /** The client's metadata: its own topics and manual tags are kept. */
  metadata: { tags?: string[]; topics?: string[]; [key: string]: Json | undefined };
}

export interface Enrichment {
  topics?: string[];
  auto_tags: string[];
  tag_sources: Record<string, string[]>;
  generated_summary: string;
}

/** Everything deterministic that the server adds to the metadata. */
export function* enriching(conversation: Enrichable): Steps<Enrichment> {
  const { source, title, messages, metadata, statements = [] } = conversation;
  const predicates = [...new Set(statements.map(({ predicate }) => predicate))];
  const topics = yield* findTopics(
    messages.map((message) => message.text),
    metadata.topics,
  );
  const described = { source, messages, topics, ...(title === undefined ? {} : { title }) };
  const tags = yield* findTags({ ...described, predicates, manualTags: metadata.tags ?? [] });
  return {
    ...(topics.length === 0 ? {} : { topics }),
    ...tags,
    generated_summary: conversationSummary(described),
  };
}
