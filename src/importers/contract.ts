import type { Alias, MemoryStatus, Role } from '../model/conversation.js';
import type { FactChange } from '../model/fact.js';
import type { JsonObject } from '../model/json.js';

export interface ImportedMessage {
  role: Role;
  text: string;
  /** When it was sent, if the export records it per message. */
  timestamp?: string;
}

/** A conversation in an export, in the terms of the insert payload. */
export interface ImportedConversation {
  /** Only for our own exports; ids of other programs are kept as `upstream_thread_id`. */
  id?: string;
  /** The shared project it was in, for our own exports; absent for the caller's private one. */
  project?: string;
  source: string;
  title?: string;
  timestamp?: string;
  messages: ImportedMessage[];
  /** Its status where it comes from: held for review, or rejected. */
  memoryStatus?: MemoryStatus;
  /** Titles and metadata of later captures of the same content, for our own exports. */
  aliases?: readonly Alias[];
  metadata: JsonObject & { upstream_thread_id?: string };
}

/** A user's decision about facts. Facts themselves are derived from the conversations; decisions are not. */
export interface FactDecision {
  /** As in `ImportedConversation`. */
  project?: string;
  fact: FactName;
  supersededBy: FactName;
  at: string;
}

/** A user's changes to a fact. */
export interface ImportedFactChanges {
  /** As in `ImportedConversation`. */
  project?: string;
  fact: FactName;
  changes: readonly ImportedFactChange[];
}

export interface ImportedFactChange {
  kind: FactChange['kind'];
  at: string;
  /** The entered value. */
  value?: string;
  pinned?: true;
  /** The end of a retracted fact's validity. */
  until?: string;
  /** Where the detached sentences are, and when they were said: conversations may have other ids here. */
  detached?: readonly { message_index: number; start: number; stated_at: string }[];
  /** The other fact of a correction. */
  other?: FactName;
}

/** Identifies a fact across projects. */
export interface FactName {
  subject: string;
  predicate: string;
  objectKey: string;
}

/**
 * One result of reading an export: a conversation, a decision, or something skipped and why. `place` contains no user
 * text. Every message of the export is either in a conversation or counted in a `leftOut`.
 */
export type Found =
  | {
      kind: 'conversation';
      place: string;
      conversation: ImportedConversation;
      leftOut?: LeftOut;
      /** The program marks its last message as complete, so `watch` need not wait for further changes. */
      isComplete?: boolean;
    }
  | { kind: 'decision'; place: string; decision: FactDecision }
  | { kind: 'fact_changes'; place: string; changed: ImportedFactChanges }
  | { kind: 'skipped'; place: string; reason: string; leftOut?: LeftOut };

/** The beginning of a file, used to detect its format. */
export interface Head {
  path: string;
  /** The first characters; empty for a database. */
  text: string;
  /** The tables of a database with their columns. */
  tables?: ReadonlyMap<string, ReadonlySet<string>>;
}

/** A file of an export: on disk, inside a zip, or standard input. */
export interface SourceFile {
  /** Its path as shown to the user. */
  path: string;
  read(): AsyncIterable<Uint8Array>;
  /** Its path on disk, for formats that are databases. */
  onDisk?: string;
  /** The name of the zip it is in. */
  archive?: string;
  /** Another file of that zip, by its path there. */
  inArchive?(path: string): Promise<Uint8Array | undefined>;
  /** In bytes, if known in advance. */
  size?: number;
  /** When it was last changed (ISO), for formats that carry no time. */
  changedAt?: string;
}

/** Hints for formats whose fields are ambiguous. */
export interface ReadOptions {
  /** Field names for the generic format: `text` is in `body`, for example. */
  fields?: Readonly<Record<string, string>>;
  source?: string;
}

export interface Importer {
  /** The word after `threadkeep import`. */
  name: string;
  /** The display name of the program. */
  label: string;
  /** How to get the export, in one line. */
  howTo: string;
  /** Whether a file of a folder or zip belongs to the format, by its path. */
  accepts(path: string): boolean;
  /** Whether a file is of this format, by its content. */
  recognises(head: Head): boolean;
  read(file: SourceFile, options?: ReadOptions): AsyncIterable<Found>;
  /** Where the program stores its files, relative to the home folder; for `import auto` and `watch`. */
  places?: readonly string[];
  /**
   * The program rewrites its files while an answer streams in, so `watch` imports a conversation only once it stops
   * changing.
   */
  rewrites?: true;
}

/** Memory bounds: larger than any real conversation, far smaller than a machine's memory. */
export const limits = {
  /** One conversation of an export. */
  elementBytes: 64_000_000,
  /** One line of a log. */
  lineBytes: 32_000_000,
  /** A conversation in our own export: twice the import limit, so that everything stored can be restored. */
  ownLineBytes: 128_000_000,
  /** A file that is read whole. */
  fileBytes: 128_000_000,
};

/** Why messages of an export are not kept. Reports count them, so that no message disappears silently. */
export const notKept = {
  empty: 'they have no text',
  tool: 'they are tool calls or tool results',
  thinking: "they are the model's thinking",
  program: 'they are instructions or notes from the program',
  agents: 'they are messages between agents',
  repeated: 'they are duplicates within the export',
  version: 'a later version of them is kept',
  takenBack: 'they were retracted',
  underWay: 'they were still being written',
  speaker: 'their role is neither user nor assistant',
  form: 'their text has an unknown format',
  missing: 'the export refers to them but does not contain them',
  orphan: 'they belong to no conversation in the export',
} as const;

export type NotKept = (typeof notKept)[keyof typeof notKept];

/** How many messages are left out, by reason. */
type LeftOut = Readonly<Record<string, number>>;

export interface Tally {
  add(reason: NotKept, count?: number): void;
  /** A field to spread: empty when everything was kept. */
  field(): { leftOut?: LeftOut };
}

/** Counts the messages left out of one conversation or file. */
export function createTally(): Tally {
  const counts = new Map<string, number>();
  return {
    add(reason, count = 1) {
      if (count > 0) counts.set(reason, (counts.get(reason) ?? 0) + count);
    },
    field: () => (counts.size === 0 ? {} : { leftOut: Object.fromEntries(counts) }),
  };
}
