import type { ReadResourceResult, Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import { MemoryError } from '../model/errors.js';
import { canonicalUuid } from '../model/ids.js';
import type { Call } from '../operations/operation.js';
import type { ConversationOutput } from '../operations/present.js';
import { usualTopK } from '../operations/search/shapes.js';
import type { Service } from '../operations/service.js';
import { operations } from '../operations/table.js';
import { contentNotice, dataOnly } from './prompts.js';

const mimeType = 'application/json';

export const resourceUris = {
  example: 'memory://conversation/example',
  health: 'memory://health',
  conversation: 'memory://conversation/{id}',
  search: 'memory://search/{query}',
  timeline: 'memory://timeline/{day}',
} as const;

export const resources: readonly Resource[] = [
  {
    uri: resourceUris.example,
    name: 'conversation-example',
    title: 'Example conversation',
    description: 'An example of a stored conversation; it is not part of the memory.',
    mimeType,
  },
  {
    uri: resourceUris.health,
    name: 'health',
    title: 'Health',
    description: 'The health of the memory: its mode, stores and embedding model.',
    mimeType,
  },
];

/** `memory://health` has no variable, but the interface lists it among the templates, so it is in both lists. */
export const resourceTemplates: readonly ResourceTemplateType[] = [
  {
    uriTemplate: resourceUris.conversation,
    name: 'conversation',
    title: 'Conversation',
    description: `One stored conversation by its id. ${dataOnly}`,
    mimeType,
  },
  {
    uriTemplate: resourceUris.search,
    name: 'search',
    title: 'Search',
    description: `The five best matches of a query (percent-encoded); ?cursor= returns the next five. ${dataOnly}`,
    mimeType,
  },
  {
    uriTemplate: resourceUris.timeline,
    name: 'timeline',
    title: 'Timeline',
    description: `The conversations of one UTC day, such as 2026-11-15, in order; ?cursor= returns the next page. ${dataOnly}`,
    mimeType,
  },
  {
    uriTemplate: resourceUris.health,
    name: 'health',
    title: 'Health',
    description: 'The health of the memory: its mode, stores and embedding model.',
    mimeType,
  },
];

export interface ResourceParts {
  service: Service;
  health: () => Promise<object>;
}

/** Undefined when there is no such resource or the caller may not see it. */
export async function readResource(
  parts: ResourceParts,
  call: Call,
  uri: string,
): Promise<ReadResourceResult | undefined> {
  const name = parseResourceUri(uri);
  const body = name === undefined ? undefined : await bodyOf(name, parts, call);
  if (name === undefined || body === undefined) return undefined;
  const isStored = name.kind !== 'example' && name.kind !== 'health';
  const text = JSON.stringify(isStored ? { ...body, content_notice: contentNotice } : body);
  return { contents: [{ uri, mimeType, text }] };
}

async function bodyOf(name: ResourceName, { service, health }: ResourceParts, call: Call): Promise<object | undefined> {
  switch (name.kind) {
    case 'example':
      return conversationBody(example);
    case 'health':
      return health();
    case 'conversation':
      return readConversation(service, call, name.id);
    case 'search':
      return search(service, call, name);
    case 'timeline':
      return timeline(service, call, name);
    default:
      return name satisfies never;
  }
}

async function readConversation(service: Service, call: Call, id: string): Promise<object | undefined> {
  // A malformed id names no conversation.
  if (canonicalUuid(id) === undefined) return undefined;
  try {
    return conversationBody((await operations.retrieve.execute(service, call, { id })).memory);
  } catch (error) {
    if (error instanceof MemoryError && error.code === 'not_found') return undefined;
    throw error;
  }
}

function conversationBody(memory: ConversationOutput): object {
  const { id, source, timestamp, metadata } = memory;
  const { tags = [], updated_at: updatedAt = timestamp } = metadata;
  return { status: 'ok', id, memory, metadata: { id, source, timestamp, tags, updated_at: updatedAt } };
}

async function search(
  service: Service,
  call: Call,
  { query, cursor }: { query: string; cursor?: string },
): Promise<object> {
  const topK = Math.min(usualTopK, service.settings.limits.maxTopK);
  const asked = { query, top_k: topK, include_messages: false, ...(cursor === undefined ? {} : { cursor }) };
  const found = await operations.search.execute(service, call, asked);
  return { ...found, id: `search:${query}`, metadata: { query, top_k: topK } };
}

async function timeline(
  service: Service,
  call: Call,
  { day, cursor }: { day: string; cursor?: string },
): Promise<object> {
  const asked = { day, ...(cursor === undefined ? {} : { cursor }) };
  const found = await operations.timeline.execute(service, call, asked);
  return { ...found, id: `timeline:${day}`, metadata: { day, count: found.results.length } };
}

const example: ConversationOutput = {
  id: 'example',
  source: 'example',
  title: 'Weekend plans',
  timestamp: '1970-01-01T00:00:00Z',
  messages: [
    { role: 'user', text: 'My sister Nora arrives on Friday.' },
    { role: 'assistant', text: 'Noted: Nora arrives on Friday.' },
  ],
  metadata: { tags: ['family'], project_id: 'example', memory_status: 'active' },
};

/** A resource parsed from its URI. A day and a search may carry the cursor of their next page. */
type ResourceName =
  | { kind: 'example' }
  | { kind: 'health' }
  | { kind: 'conversation'; id: string }
  | { kind: 'search'; query: string; cursor?: string }
  | { kind: 'timeline'; day: string; cursor?: string };

export function conversationUri(id: string): string {
  return `memory://conversation/${id}`;
}

/** Undefined for a URI that is not ours. */
export function parseResourceUri(uri: string): ResourceName | undefined {
  if (uri === resourceUris.example) return { kind: 'example' };
  if (uri === resourceUris.health) return { kind: 'health' };
  const [, kind, rest = '', cursor] = /^memory:\/\/([a-z]+)\/([^?]+)(?:\?cursor=([\w.-]+))?$/.exec(uri) ?? [];
  const value = decoded(rest);
  if (value === undefined) return undefined;
  const from = cursor === undefined ? {} : { cursor };
  if (kind === 'timeline') return { kind, day: value, ...from };
  if (kind === 'search') return { kind, query: value, ...from };
  return kind === 'conversation' && cursor === undefined ? { kind, id: value } : undefined;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    // A malformed percent-encoding: not one of our URIs.
    return undefined;
  }
}
