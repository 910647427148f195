import type { Steps } from '../model/steps.js';
import { entitiesOf, pause } from './entities.js';

/*
 * Finds the tags and topics of a conversation without a model.
 */

interface AutoTags {
  auto_tags: string[];
  tag_sources: Record<string, string[]>;
}

interface Taggable {
  source: string;
  title?: string;
  messages: readonly { text: string }[];
  topics: readonly string[];
  /** Predicates of the facts found in the conversation. */
  predicates?: readonly string[];
  /** Manual tags take precedence: an equal automatic one is dropped. */
  manualTags: readonly string[];
}

const mostTags = 24;
const longestTag = 80;

/** Records the origin of each automatic tag; the first origin decides its position. */
export function* findTags(conversation: Taggable): Steps<AutoTags> {
  const manual = new Set(conversation.manualTags.map(normaliseTag));
  const origins = new Map<string, Set<string>>();
  const add = (value: string, origin: string): void => {
    const tag = normaliseTag(value);
    if (tag === '' || manual.has(tag)) return;
    origins.set(tag, (origins.get(tag) ?? new Set()).add(origin));
  };
  add(`source:${conversation.source}`, 'source');
  for (const topic of conversation.topics) add(topic, 'topic');
  for (const text of [conversation.title ?? '', ...conversation.messages.map((message) => message.text)]) {
    if (origins.size >= mostTags) break;
    for (const entity of entitiesOf(text)) {
      if (entity === pause) yield;
      else add(entity, 'entity');
      if (origins.size >= mostTags) break;
    }
    yield;
  }
  for (const tag of shorterNames(origins)) origins.delete(tag);
  for (const predicate of [...(conversation.predicates ?? [])].sort()) add(`fact:${predicate}`, 'fact_predicate');
  const kept = [...origins].slice(0, mostTags);
  return {
    auto_tags: kept.map(([tag]) => tag),
    tag_sources: Object.fromEntries(kept.map(([tag, from]) => [tag, [...from]])),
  };
}

/** Names that are the end of another one: the "Slim Sleeve" is the "Bellroy Slim Sleeve". */
function shorterNames(origins: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const names = [...origins].filter(([, from]) => from.size === 1 && from.has('entity')).map(([tag]) => tag);
  return names.filter((name) => names.some((other) => other.endsWith(`-${name}`)));
}

function normaliseTag(value: string): string {
  const tag = value
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}:_-]+/gu, '-')
    .replace(/-{2,}/g, '-');
  const trimmed = tag.replace(/^[-_:]+|[-_:]+$/g, '');
  return [...trimmed]
    .slice(0, longestTag)
    .join('')
    .replace(/[-_:]+$/, '');
}
