import type { Memory } from '../memory.js';

/** The commands of Anthropic's memory tool, as the model sends them. */
export type MemoryCommand =
  | { command: 'view'; path: string; view_range?: readonly number[] | null }
  | { command: 'create'; path: string; file_text: string }
  | { command: 'str_replace'; path: string; old_str: string; new_str?: string | null }
  | { command: 'insert'; path: string; insert_line: number; insert_text: string }
  | { command: 'delete'; path: string }
  | { command: 'rename'; old_path: string; new_path: string };

type Handlers = {
  [Name in MemoryCommand['command']]: (command: Extract<MemoryCommand, { command: Name }>) => Promise<string>;
};

export interface MemoryToolOptions {
  /** Separates agents: each name has its own folder. */
  name?: string;
  project_id?: string;
}

/** The message for the model when a command fails; return it as the tool's result with `is_error`. */
export class MemoryToolError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MemoryToolError';
  }
}

/** The handlers of the memory tool, and functions for the program that runs it. */
export interface MemoryTool extends Handlers {
  /** Runs the `input` of a `tool_use` block. */
  handle(command: MemoryCommand): Promise<string>;
  /** Every version of a file, newest first; a deletion is a version without text. */
  history(path: string): AsyncIterableIterator<{ version: number; at: string; text?: string }>;
}

const root = '/memories';
const longestPath = 400;
const mostLines = 999_999;

/**
 * A back end for the memory tool of the Messages API. Its folder is virtual: every change to a file is stored as a
 * new version in the memory, where searches find it. Deleting hides a file; `memory.forget` removes its versions
 * permanently.
 */
export function memoryTool(memory: Memory, options: MemoryToolOptions = {}): MemoryTool {
  const files = fileStore(memory, { name: options.name ?? 'default', project_id: options.project_id });
  // Serializes changes, because each reads the version it builds on.
  let last: Promise<unknown> = Promise.resolve();
  const inOrder = <T>(run: () => Promise<T>): Promise<T> => {
    const next = last.then(run, run);
    last = next.catch(() => undefined);
    return next;
  };

  const handlers: Handlers = {
    view: ({ path, view_range }) => inOrder(() => view(files, pathOf(path), view_range ?? undefined)),
    create: ({ path, file_text }) =>
      inOrder(async () => {
        const file = filePathOf(path);
        await refuseFolder(files, file);
        await files.write(file, file_text, await files.read(file));
        return `File created successfully at: ${file}`;
      }),
    str_replace: ({ path, old_str, new_str }) =>
      inOrder(async () => {
        const found = await existing(files, filePathOf(path));
        const at = onlyPlaceOf(old_str, found);
        const text = found.text.slice(0, at) + (new_str ?? '') + found.text.slice(at + old_str.length);
        await files.write(found.path, text, found);
        return `The memory file has been edited.\n${excerpt(text, at)}`;
      }),
    insert: ({ path, insert_line, insert_text }) =>
      inOrder(async () => {
        const found = await existing(files, filePathOf(path));
        const lines = found.text === '' ? [] : found.text.replace(/\n$/, '').split('\n');
        if (!Number.isInteger(insert_line) || insert_line < 0 || insert_line > lines.length) {
          const range = `[0, ${lines.length}]`;
          throw new MemoryToolError(
            `Error: Invalid \`insert_line\` parameter: ${insert_line}. It should be within the range of lines of the file: ${range}`,
          );
        }
        const text = [...lines.slice(0, insert_line), insert_text.replace(/\n$/, ''), ...lines.slice(insert_line)];
        await files.write(found.path, `${text.join('\n')}\n`, found);
        return `The file ${found.path} has been edited.`;
      }),
    delete: ({ path }) =>
      inOrder(async () => {
        const place = filePathOf(path);
        for (const file of await at(files, place)) await files.remove(file);
        return `Successfully deleted ${place}`;
      }),
    rename: ({ old_path, new_path }) =>
      inOrder(async () => {
        const [from, to] = [filePathOf(old_path), filePathOf(new_path)];
        const moved = await at(files, from);
        if ((await at(files, to).catch(() => [])).length > 0) {
          throw new MemoryToolError(`Error: The destination ${to} already exists`);
        }
        if (to.startsWith(`${from}/`)) throw new MemoryToolError(`Error: ${from} cannot be moved into itself`);
        for (const file of moved) {
          const target = to + file.path.slice(from.length);
          await files.write(target, file.text, await files.read(target, { deleted: true }));
          await files.remove(file);
        }
        return `Successfully renamed ${from} to ${to}`;
      }),
  };

  return {
    ...handlers,
    async handle(command) {
      const run = handlers[command.command] as ((given: MemoryCommand) => Promise<string>) | undefined;
      if (run === undefined) throw new MemoryToolError('Error: Unknown command');
      return run(command);
    },
    history: (path) => files.history(filePathOf(path)),
  };
}

function pathOf(given: string): string {
  const path = given.length > 1 ? given.replace(/\/+$/, '') : given;
  const parts = path.split('/');
  const isInside = path === root || path.startsWith(`${root}/`);
  const isPlain = parts.slice(1).every((part) => part !== '' && part !== '.' && part !== '..');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (!isInside || !isPlain || path.length > longestPath || /[\u0000-\u001f\\]/.test(path)) {
    throw new MemoryToolError(
      `Error: The path must be inside ${root}, without "..", at most ${longestPath} characters`,
    );
  }
  return path;
}

function filePathOf(given: string): string {
  const path = pathOf(given);
  if (path === root) throw new MemoryToolError(`Error: ${root} itself cannot be changed`);
  return path;
}

function missing(path: string): MemoryToolError {
  return new MemoryToolError(`Error: The path ${path} does not exist. Please provide a valid path.`);
}

async function existing(files: FileStore, path: string): Promise<StoredFile> {
  const found = await files.read(path);
  if (found === undefined) throw missing(path);
  return found;
}

/** The file at this path, or all files in the folder. */
async function at(files: FileStore, path: string): Promise<StoredFile[]> {
  const file = await files.read(path);
  if (file !== undefined) return [file];
  const inside = (await currentFiles(files)).filter((each) => each.path.startsWith(`${path}/`));
  if (inside.length === 0) throw missing(path);
  return Promise.all(inside.map((each) => existing(files, each.path)));
}

async function refuseFolder(files: FileStore, path: string): Promise<void> {
  const others = await currentFiles(files);
  const isFolder = others.some((each) => each.path.startsWith(`${path}/`));
  const isInFile = others.some((each) => path.startsWith(`${each.path}/`));
  if (isFolder || isInFile) throw new MemoryToolError(`Error: ${path} cannot be a file: a folder is in its place`);
}

async function view(files: FileStore, path: string, range: readonly number[] | undefined): Promise<string> {
  const file = path === root ? undefined : await files.read(path);
  if (file !== undefined) return `Here's the content of ${path} with line numbers:\n${numbered(file, range)}`;
  const inside = (await currentFiles(files)).filter((each) => each.path.startsWith(`${path}/`));
  if (inside.length === 0 && path !== root) throw missing(path);
  const sizes = new Map<string, number>([[path, 0]]);
  for (const { path: name, size } of inside) {
    const parts = name.slice(path.length + 1).split('/');
    sizes.set(path, (sizes.get(path) ?? 0) + size);
    for (let depth = 1; depth <= Math.min(2, parts.length); depth++) {
      const place = `${path}/${parts.slice(0, depth).join('/')}`;
      sizes.set(place, (sizes.get(place) ?? 0) + size);
    }
  }
  const lines = [...sizes]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, size]) => `${shown(size)}\t${name}`);
  return `Here're the files and directories up to 2 levels deep in ${path}, excluding hidden items and node_modules:\n${lines.join('\n')}`;
}

function shown(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`;
  return bytes < 1024 ** 2 ? `${(bytes / 1024).toFixed(1)}K` : `${(bytes / 1024 ** 2).toFixed(1)}M`;
}

function numbered({ path, text }: StoredFile, range: readonly number[] | undefined): string {
  const lines = text.replace(/\n$/, '').split('\n');
  if (lines.length > mostLines)
    throw new MemoryToolError(`File ${path} exceeds maximum line limit of ${mostLines} lines.`);
  const [first = 1, end = -1] = range ?? [];
  const until = end === -1 ? lines.length : end;
  return lines
    .slice(Math.max(0, first - 1), until)
    .map((line, index) => `${String(Math.max(1, first) + index).padStart(6)}\t${line}`)
    .join('\n');
}

function onlyPlaceOf(old: string, { path, text }: StoredFile): number {
  const at = old === '' ? -1 : text.indexOf(old);
  if (at === -1) {
    throw new MemoryToolError(`No replacement was performed, old_str \`${old}\` did not appear verbatim in ${path}.`);
  }
  const places: number[] = [];
  for (let place = at; place !== -1 && places.length < 20; place = text.indexOf(old, place + old.length)) {
    places.push(text.slice(0, place).split('\n').length);
  }
  if (places.length > 1) {
    throw new MemoryToolError(
      `No replacement was performed. Multiple occurrences of old_str \`${old}\` in lines: ${places.join(', ')}. Please ensure it is unique`,
    );
  }
  return at;
}

/** The changed line with the lines around it. */
function excerpt(text: string, at: number): string {
  const line = text.slice(0, at).split('\n').length;
  return numbered({ path: '', text, version: 0, at: '' }, [Math.max(1, line - 2), line + 4]);
}

interface StoredFile {
  path: string;
  text: string;
  version: number;
  at: string;
}

interface FileVersion {
  path: string;
  version: number;
  at: string;
  size: number;
  deleted: boolean;
  id: string;
}

/** Files whose every version is a conversation of the memory: the first turn names it, the second is its text. */
interface FileStore {
  read(path: string, options?: { deleted?: boolean }): Promise<StoredFile | undefined>;
  /** A new version on top of `before`. */
  write(path: string, text: string, before: StoredFile | undefined): Promise<void>;
  remove(file: StoredFile): Promise<void>;
  versions(path?: string): AsyncIterableIterator<FileVersion>;
  history(path: string): AsyncIterableIterator<{ version: number; at: string; text?: string }>;
}

const source = 'memory-tool';

function fileStore(memory: Memory, place: { name: string; project_id: string | undefined }): FileStore {
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
    // Always newer than the previous version, whatever the clock says, because versions are ordered by time.
    const time = Math.max(Date.now(), before === undefined ? 0 : Date.parse(before.at) + 1);
    // The first message makes each version a different conversation: equal ones would be deduplicated.
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

/** Line breaks around a text are not stored in a message, but they matter in a file. */
function edgesOf(text: string): [string, string] {
  const [before = ''] = /^[\uFEFF\r\n]*/.exec(text) ?? [];
  let end = text.length;
  while (end > before.length && '\uFEFF\r\n'.includes(text.charAt(end - 1))) end -= 1;
  return [before, text.slice(end)];
}

/** The newest version of every file that was not deleted, by path. */
async function currentFiles(files: FileStore): Promise<FileVersion[]> {
  const newest = new Map<string, FileVersion>();
  for await (const version of files.versions()) if (!newest.has(version.path)) newest.set(version.path, version);
  return [...newest.values()].filter(({ deleted }) => !deleted).sort((one, other) => (one.path < other.path ? -1 : 1));
}
