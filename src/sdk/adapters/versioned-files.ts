import type { Memory } from '../memory.js';

export interface StoredFile {
  path: string;
  text: string;
  version: number;
  at: string;
}

export interface FileVersion {
  path: string;
  version: number;
  at: string;
  size: number;
  deleted: boolean;
  id: string;
}

/** Files whose every version is a conversation of the memory: the first turn names it, the second is its text. */
export interface FileStore {
  read(path: string, options?: { deleted?: boolean }): Promise<StoredFile | undefined>;
  /** A new version on top of `before`. */
  write(path: string, text: string, before: StoredFile | undefined): Promise<void>;
  remove(file: StoredFile): Promise<void>;
  versions(path?: string): AsyncIterableIterator<FileVersion>;
  history(path: string): AsyncIterableIterator<{ version: number; at: string; text?: string }>;
}

const source = 'memory-tool';

export function fileStore(memory: Memory, place: { name: string; project_id: string | undefined }): FileStore {
  const { name, project_id } = place;
  const threadOf = (path: string): string => `${source}:${name}:${path}`;

  async function* versions(path?: string): AsyncIterableIterator<FileVersion> {
    const filter = { source, project_id, limit: path === undefined ? 100 : 1 };
    const thread_id = path === undefined ? undefined : threadOf(path);
    for await (const { id, timestamp, metadata } of memory.conversations.all({ ...filter, thread_id })) {
      const { file_store, file_path, file_version, file_size, file_deleted } = metadata;
      if (file_store !== name || typeof file_path !== 'string') continue;
      const [version, size] = [Number(file_version), Number(file_size)];
      yield { id, path: file_path, version, at: timestamp, size, deleted: file_deleted === true };
    }
  }

  async function textOf(id: string): Promise<string> {
    const { memory: stored } = await memory.retrieve({ id, project_id });
    const { file_edges } = stored.metadata;
    const [before = '', after = ''] = Array.isArray(file_edges) ? file_edges.map(String) : [];
    return `${before}${stored.messages?.[1]?.text ?? ''}${after}`;
  }

  async function newest(path: string): Promise<FileVersion | undefined> {
    for await (const version of versions(path)) return version;
    return undefined;
  }

  async function put(path: string, content: { text?: string }, before: { version: number; at: string } | undefined) {
    const { text } = content;
    const version = (before?.version ?? 0) + 1;
    // Newer than the version before, whatever the clock says: the order of time is the order of versions.
    const time = Math.max(Date.now(), before === undefined ? 0 : Date.parse(before.at) + 1);
    // The first turn makes every version another conversation: equal ones would be taken for the same.
    const named = {
      role: 'user',
      text: `${path} (${name}, version ${version}${text === undefined ? ', deleted' : ''})`,
    };
    await memory.insert({
      source,
      project_id,
      title: path,
      timestamp: new Date(time).toISOString(),
      messages: text === undefined || /^[\uFEFF\r\n]*$/.test(text) ? [named] : [named, { role: 'assistant', text }],
      metadata: {
        thread_id: threadOf(path),
        save_intent: 'client_auto_save',
        save_intent_source: source,
        file_store: name,
        file_path: path,
        file_version: version,
        ...(text === undefined ? {} : { file_edges: edgesOf(text) }),
        file_size: new TextEncoder().encode(text ?? '').length,
        ...(text === undefined ? { file_deleted: true } : {}),
      },
    });
  }

  return {
    versions,
    async read(path, { deleted = false } = {}) {
      const found = await newest(path);
      if (found === undefined || (found.deleted && !deleted)) return undefined;
      const text = found.deleted ? '' : await textOf(found.id);
      return { path, text, version: found.version, at: found.at };
    },
    async write(path, text, before) {
      await put(path, { text }, before ?? (await newest(path)));
    },
    remove: (file) => put(file.path, {}, file),
    async *history(path) {
      for await (const { id, version, at, deleted } of versions(path)) {
        yield { version, at, ...(deleted ? {} : { text: await textOf(id) }) };
      }
    },
  };
}

/** Line breaks around a text are not stored as part of a message; in a file they count. */
function edgesOf(text: string): [string, string] {
  const [before = ''] = /^[\uFEFF\r\n]*/.exec(text) ?? [];
  let end = text.length;
  while (end > before.length && '\uFEFF\r\n'.includes(text.charAt(end - 1))) end -= 1;
  return [before, text.slice(end)];
}

/** The newest version of every file that was not deleted, by path. */
export async function currentFiles(files: FileStore): Promise<FileVersion[]> {
  const newest = new Map<string, FileVersion>();
  for await (const version of files.versions()) if (!newest.has(version.path)) newest.set(version.path, version);
  return [...newest.values()].filter(({ deleted }) => !deleted).sort((one, other) => (one.path < other.path ? -1 : 1));
}
