import type { Limits } from '../model/conversation.js';
import { invalidInput, MemoryError } from '../model/errors.js';
import { isObject } from '../model/json.js';
import { nearestName } from '../model/parse.js';
import { finished, type Steps } from '../model/steps.js';

/** A payload of any accepted shape, converted to one shape. Its values are not validated yet. */
export interface CoercedConversation {
  id?: unknown;
  source?: unknown;
  title?: unknown;
  timestamp?: unknown;
  messages: unknown[];
  metadata: Record<string, unknown>;
  projectId?: unknown;
}

const knownKeys = new Set([
  'id',
  'source',
  'title',
  'timestamp',
  'messages',
  'metadata',
  'conversation',
  'content',
  'tags',
  'project_id',
]);

/** Converts every accepted shape to one; rejects unknown keys, nulls, raw page artifacts and excessive nesting. */
export function coerce(payload: unknown, limits: Pick<Limits, 'maxMessages' | 'maxDepth'>): CoercedConversation {
  return finished(coercing(payload, limits));
}

/** The same in steps: metadata may hold hundreds of thousands of values. */
export function* coercing(
  payload: unknown,
  limits: Pick<Limits, 'maxMessages' | 'maxDepth'>,
): Steps<CoercedConversation> {
  const object = Array.isArray(payload) ? { messages: payload } : payload;
  if (!isObject(object)) {
    throw new MemoryError(
      'invalid_input',
      'The conversation must be a JSON object with messages, or an array of messages',
    );
  }
  yield* checkingDepth(object, limits.maxDepth);
  yield* refuseRawArtifacts(object);
  for (const [key, value] of Object.entries(object)) {
    if (!knownKeys.has(key)) throw unknownKey(key);
    if (value === null) throw invalidInput(key, 'must be omitted rather than null');
  }
  const messages = turnsOf(object);
  if (!Array.isArray(messages)) throw invalidInput('messages', 'must be an array of messages');
  if (messages.length === 0) throw invalidInput('messages', 'must contain at least one message');
  if (messages.length > limits.maxMessages) {
    throw invalidInput('messages', `must contain at most ${limits.maxMessages} messages (limits.max_messages)`);
  }
  const { id, source, title, timestamp } = object;
  const metadata = metadataOf(object);
  return { id, source, title, timestamp, messages, metadata, projectId: projectOf(object.project_id, metadata) };
}

/** Metadata keys that clients put at the top level by mistake. */
const metadataKeys = [
  'summary',
  'thread_id',
  'upstream_thread_id',
  'parent_conversation_id',
  'related_conversation_ids',
  'save_intent',
  'save_intent_source',
  'platform',
  'capture_client',
  'capture_client_version',
  'model',
  'timezone',
];

function unknownKey(key: string): MemoryError {
  const nearest = nearestName(key, [...knownKeys, ...metadataKeys]);
  const place = nearest === undefined || knownKeys.has(nearest) ? '' : 'metadata.';
  const hint = nearest === undefined ? '' : ` (did you mean ${place}${nearest}?)`;
  return invalidInput(key, `is not a field of a conversation${hint}; put extra data into metadata`);
}

/** The turns, under whichever accepted key they were sent. */
function turnsOf(object: Record<string, unknown>): unknown {
  const [first, ...others] = ['messages', 'conversation', 'content'].filter((name) => object[name] !== undefined);
  if (first === undefined) return undefined;
  for (const name of others) refuseOther(object[name], object[first], { name, first });
  return object[first];
}

/** Rejects two different values for the same field, because one of them would be lost. */
function refuseOther(other: unknown, value: unknown, { name, first }: { name: string; first: string }): void {
  if (JSON.stringify(other) === JSON.stringify(value)) return;
  throw invalidInput(name, `is another name for ${first} and differs from it; send one of the two`);
}

function projectOf(named: unknown, { project_id: other }: Record<string, unknown>): unknown {
  if (named === undefined) return other;
  if (other !== undefined) refuseOther(other, named, { name: 'metadata.project_id', first: 'project_id' });
  return named;
}

/** Several clients send `tags` at the top level. */
function metadataOf(object: Record<string, unknown>): Record<string, unknown> {
  const metadata = object.metadata ?? {};
  if (!isObject(metadata)) throw invalidInput('metadata', 'must be an object');
  if (object.tags === undefined) return metadata;
  if (metadata.tags === undefined) return { ...metadata, tags: object.tags };
  refuseOther(object.tags, metadata.tags, { name: 'tags', first: 'metadata.tags' });
  return metadata;
}

export const artifactKeys: ReadonlySet<string> = new Set([
  'raw_html',
  'html_snapshot',
  'dom_snapshot',
  'screenshot',
  'screenshot_data',
  'selector_evidence',
]);

/** Raw page captures are never stored: rejected as a key at any depth, and the error names every path. */
function* refuseRawArtifacts(payload: object): Steps<void> {
  const paths: string[] = [];
  const open: { value: object; path: string }[] = [{ value: payload, path: '$' }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path } = next;
    yield;
    if (Array.isArray(value)) {
      for (const [index, child] of value.entries()) {
        if (typeof child === 'object' && child !== null) open.push({ value: child, path: `${path}[${index}]` });
        if (index % childrenPerStep === 0) yield;
      }
      continue;
    }
    for (const [key, child] of Object.entries(value)) {
      if (artifactKeys.has(key)) paths.push(`${path}.${key}`);
      else if (typeof child === 'object' && child !== null) open.push({ value: child, path: `${path}.${key}` });
    }
  }
  if (paths.length === 0) return;
  const shown = paths.sort().slice(0, 20);
  const issues = shown.map((path) => ({ path, message: 'is a raw browser capture artifact' }));
  throw new MemoryError('invalid_input', `Raw browser capture artifacts are not stored: ${shown.join(', ')}`, {
    issues,
  });
}

const childrenPerStep = 1_000;

/** Rejects excessive nesting without recursion, so that a hostile payload cannot exhaust the stack. */
export function checkDepth(value: unknown, maxDepth: number): void {
  finished(checkingDepth(value, maxDepth));
}

function* checkingDepth(value: unknown, maxDepth: number): Steps<void> {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) {
      throw new MemoryError('invalid_input', `The payload is nested deeper than ${maxDepth} levels (limits.max_depth)`);
    }
    const next: unknown[] = [];
    for (const each of level) {
      if (typeof each !== 'object' || each === null) continue;
      yield;
      for (const child of Object.values(each)) if (typeof child === 'object' && child !== null) next.push(child);
    }
    level = next;
  }
}
