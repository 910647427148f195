import type { Steps } from '../model/steps.js';

export interface AutoTags {
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
  /** Manual tags are authoritative: an equal automatic one is left out. */
  manualTags: readonly string[];
}

const mostTags = 24;
const longestTag = 80;

/** Where each automatic tag comes from is kept beside it; the first origin decides its place. */
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
      add(entity, 'entity');
      if (origins.size >= mostTags) break;
    }
    yield;
  }
  for (const predicate of [...(conversation.predicates ?? [])].sort()) add(`fact:${predicate}`, 'fact_predicate');
  const kept = [...origins].slice(0, mostTags);
  return {
    auto_tags: kept.map(([tag]) => tag),
    tag_sources: Object.fromEntries(kept.map(([tag, from]) => [tag, [...from]])),
  };
}

/** A run of what names are written with; looked at once, whatever it is made of. */
const wordRun = /[\p{L}\p{N}'’-]+/gu;
const capital = /(?<![\p{L}\p{N}])\p{Lu}/u;
const mostWords = 5;
const starters = new Set(
  'a an the i we you he she it they my our your this that these those is are was were do does did can could will would what when where why how who which if and but or so for in on at to of with from as by use using let thanks hi hello hey ok yes no'.split(
    ' ',
  ),
);

/** Runs of capitalised words, without the ordinary word that is capitalised only because it opens a sentence. */
function* entitiesOf(text: string): Generator<string, void, void> {
  for (const words of capitalisedWords(text)) {
    const first = words.findIndex((word) => !starters.has(word.toLowerCase()));
    if (first >= 0 && words.length - first >= 2) yield words.slice(first).join(' ');
  }
}

/** Up to five words with a capital and one blank between them; the first may begin inside a run, behind a hyphen. */
function* capitalisedWords(text: string): Generator<string[], void, void> {
  let words: string[] = [];
  let end = -1;
  for (const { 0: run, index } of text.matchAll(wordRun)) {
    const follows = words.length > 0 && index === end + 1 && text[end] === ' ' && /^\p{Lu}/u.test(run);
    end = index + run.length;
    if (follows && words.length < mostWords) {
      words.push(run);
      continue;
    }
    if (words.length > 1) yield words;
    const at = capital.exec(run)?.index;
    words = at === undefined ? [] : [run.slice(at)];
  }
  if (words.length > 1) yield words;
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
