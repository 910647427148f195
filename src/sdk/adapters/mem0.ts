import type { ConnectOptions } from '../connection.js';
import type { ConversationInput, Memory as Interface } from '../memory.js';
import type { OpenOptions } from '../open-options.js';

/** The owner of the memories: as in mem0, at least one of these, in any combination. */
export interface Entity {
  userId?: string | undefined;
  agentId?: string | undefined;
  runId?: string | undefined;
}

/** mem0's names for these in a filter. */
export interface Filters {
  user_id?: string | undefined;
  agent_id?: string | undefined;
  run_id?: string | undefined;
}

export interface MemoryItem {
  id: string;
  memory: string;
  createdAt?: string;
  updatedAt?: string;
  /** From 0 to 1, higher is better. */
  score?: number;
  metadata?: Record<string, unknown>;
}

export interface SearchResult {
  results: MemoryItem[];
}

export type AddMemoryOptions = Entity & {
  metadata?: Record<string, unknown> | undefined;
  /** When the message was sent: a date, a text such as `2026-03-01`, or seconds since 1970. */
  timestamp?: number | string | Date | null | undefined;
};
export type FindOptions = Entity & {
  filters?: Filters | undefined;
  topK?: number | undefined;
  limit?: number | undefined;
};

export type Mem0Message = { role: string; content: string };

/** An open memory, the options of `openMemory`, or those of `connectMemory`. */
export type Mem0Config = { memory: Interface } | OpenOptions | ConnectOptions;

/**
 * mem0's `Memory` on top of Threadkeep, with the same names, so that a program only has to change its import.
 * Messages are stored verbatim; no model rewrites them.
 */
export class Memory {
  readonly #opening: () => Promise<Interface>;
  #opened: Promise<Interface> | undefined;

  constructor(config: Mem0Config = {}) {
    this.#opening = () => open(config);
  }

  #memory(): Promise<Interface> {
    this.#opened ??= this.#opening();
    return this.#opened;
  }

  async add(messages: string | readonly Mem0Message[], options: AddMemoryOptions): Promise<SearchResult> {
    const memory = await this.#memory();
    const tags = tagsOf(options);
    const turns = typeof messages === 'string' ? [{ role: 'user', content: messages }] : messages;
    // Threadkeep stores user and assistant messages, not instructions to the model.
    const said = turns.filter(({ role }) => role !== 'system').map(({ role, content }) => ({ role, text: content }));
    const conversation: ConversationInput = {
      source: 'mem0',
      timestamp: timestampOf(options.timestamp),
      messages: said,
      metadata: { tags, ...(options.metadata === undefined ? {} : { mem0: options.metadata }) },
    };
    const { id, deduplicated } = await memory.insert(conversation);
    // If two users say the same, it is stored once and belongs to both.
    if (deduplicated) await memory.conversations.update({ id, add_tags: tags });
    const text = said.map((each) => each.text).join('\n');
    return { results: [{ id, memory: text, metadata: { ...options.metadata, event: deduplicated ? 'NONE' : 'ADD' } }] };
  }

  async search(query: string, options: FindOptions): Promise<SearchResult> {
    const memory = await this.#memory();
    const { results } = await memory.search({
      query,
      tags: tagsOf(options),
      top_k: options.topK ?? options.limit,
      match: 'strong',
      include_messages: false,
    });
    const items = results.map(({ id, text, relevance, timestamp, conversation }) => ({
      id,
      memory: text,
      score: Math.min(1, Math.max(0, relevance)),
      createdAt: timestamp,
      metadata: ownOf(conversation.metadata),
    }));
    return { results: items };
  }

  async get(memoryId: string): Promise<MemoryItem | null> {
    const memory = await this.#memory();
    try {
      const { memory: stored } = await memory.retrieve(memoryId);
      return {
        id: stored.id,
        memory: (stored.messages ?? []).map(({ text }) => text).join('\n'),
        createdAt: stored.timestamp,
        metadata: ownOf(stored.metadata),
      };
    } catch (error) {
      if (isNotFound(error)) return null;
      throw error;
    }
  }

  async getAll(options: FindOptions): Promise<SearchResult> {
    const memory = await this.#memory();
    const most = options.topK ?? options.limit ?? 100;
    const results: MemoryItem[] = [];
    for await (const { id } of memory.conversations.all({ tags: tagsOf(options), limit: Math.min(100, most) })) {
      const item = await this.get(id);
      if (item !== null) results.push(item);
      if (results.length >= most) break;
    }
    return { results };
  }

  /** Forgets it permanently. */
  async delete(memoryId: string): Promise<{ message: string }> {
    const memory = await this.#memory();
    await memory.forget({ ids: [memoryId], dry_run: false, allow_return: true });
    return { message: 'Memory deleted successfully!' };
  }

  /** Forgets memories that belong only to this entity; shared ones stay with the others. */
  async deleteAll(options: Entity): Promise<{ message: string }> {
    const memory = await this.#memory();
    const tags = tagsOf(options);
    const own: string[] = [];
    const shared: string[] = [];
    for await (const { id, metadata } of memory.conversations.all({ tags, limit: 100 })) {
      const others = (Array.isArray(metadata.tags) ? metadata.tags.map(String) : []).filter(
        (tag) => tag.startsWith('user:') && !tags.includes(tag),
      );
      (options.userId !== undefined && others.length > 0 ? shared : own).push(id);
    }
    for (const id of shared) await memory.conversations.update({ id, remove_tags: tags });
    for (let at = 0; at < own.length; at += 1_000) {
      await memory.forget({ ids: own.slice(at, at + 1_000), dry_run: false, allow_return: true });
    }
    return { message: 'Memories deleted successfully!' };
  }

  /** Not in mem0: closes the stores. A memory that was passed in is closed by its owner. */
  async close(): Promise<void> {
    await (await this.#opened)?.close();
  }
}

async function open(config: Mem0Config): Promise<Interface> {
  if ('memory' in config) return { ...config.memory, close: async () => {} };
  if ('url' in config) return (await import('../client.js')).connectMemory(config);
  return (await import('../index.js')).openMemory(config);
}

function tagsOf(given: Entity & { filters?: Filters | undefined }): string[] {
  const { filters = {} } = given;
  const entries = {
    user: given.userId ?? filters.user_id,
    agent: given.agentId ?? filters.agent_id,
    run: given.runId ?? filters.run_id,
  };
  const tags = Object.entries(entries).flatMap(([kind, id]) => (id === undefined ? [] : [`${kind}:${id}`]));
  if (tags.length === 0) throw new TypeError('One of userId, agentId or runId is required');
  return tags;
}

function timestampOf(given: AddMemoryOptions['timestamp']): string | undefined {
  if (given === undefined || given === null || typeof given === 'string') return given ?? undefined;
  const date = typeof given === 'number' ? new Date(given * 1_000) : given;
  if (Number.isNaN(date.getTime())) throw new TypeError('timestamp is not a valid date');
  return date.toISOString();
}

function ownOf({ mem0 }: Record<string, unknown>): Record<string, unknown> {
  return typeof mem0 === 'object' && mem0 !== null ? { ...mem0 } : {};
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'not_found' || error.code === 'invalid_input');
}
