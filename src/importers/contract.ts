import type { Alias, MemoryStatus, Role } from '../model/conversation.js';
import type { FactChange } from '../model/fact.js';
import type { JsonObject } from '../model/json.js';

export interface ImportedMessage {
  role: Role;
  text: string;
  /** When it was said, where the export tells it for each message. */
  timestamp?: string;
}

/** A conversation as an export holds it, in the words of the insert payload. */
export interface ImportedConversation {
  /** Only where the export is our own: others' ids are kept as `upstream_thread_id`. */
  id?: string;
  /** The shared project it was in, where the export is our own; absent for the caller's own one. */
  project?: string;
  source: string;
  title?: string;
  timestamp?: string;
  messages: ImportedMessage[];
  /** It waited for review, or was rejected, where it comes from. */
  memoryStatus?: MemoryStatus;
  /** What later captures said about the same words, where the export is our own. */
  aliases?: readonly Alias[];
  metadata: JsonObject & { upstream_thread_id?: string };
}

/** A person's decision about facts: what was said follows from the conversations, but not this. */
export interface FactDecision {
  /** As in `ImportedConversation`. */
  project?: string;
  fact: FactName;
  supersededBy: FactName;
  at: string;
}

/** What a person changed about a fact by hand. */
export interface ImportedFactChanges {
  /** As in `ImportedConversation`. */
  project?: string;
  fact: FactName;
  changes: readonly ImportedFactChange[];
}

export interface ImportedFactChange {
  kind: FactChange['kind'];
  at: string;
  /** The value that was entered. */
  value?: string;
  pinned?: true;
  /** Until when a retracted fact was so. */
  until?: string;
  /** The other fact of a correction. */
  other?: FactName;
}

/** What makes a fact the one it is, in whichever project. */
export interface FactName {
  subject: string;
  predicate: string;
  objectKey: string;
}

/**
 * What reading an export yields: a conversation, a decision, or something left out and why. `place` names no content.
 * Every message of the export is either in a conversation or counted in a `leftOut`.
 */
export type Found =
  | { kind: 'conversation'; place: string; conversation: ImportedConversation; leftOut?: LeftOut }
  | { kind: 'decision'; place: string; decision: FactDecision }
  | { kind: 'fact_changes'; place: string; changed: ImportedFactChanges }
  | { kind: 'skipped'; place: string; reason: string; leftOut?: LeftOut };

/** The beginning of a file, by which its format is recognised. */
export interface Head {
  path: string;
  /** The first characters; empty for a database. */
  text: string;
  /** The tables of a database with their columns. */
  tables?: ReadonlyMap<string, ReadonlySet<string>>;
}

/** A file of an export: on disk, inside a zip, or standard input. */
export interface SourceFile {
  /** Its name with folders, as the person sees it. */
  path: string;
  read(): AsyncIterable<Uint8Array>;
  /** Where it is on disk, for formats that are databases. */
  onDisk?: string;
  /** In bytes, where it is known beforehand. */
  size?: number;
  /** When it was last changed (ISO), for formats that carry no time. */
  changedAt?: string;
}

/** Optional hints for formats that do not say what their fields mean. */
export interface ReadOptions {
  /** Which field holds what, for the generic format: `text` is in `body`, say. */
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
  /** Which files of a folder or zip belong to it. */
  accepts(path: string): boolean;
  /** Whether a file is of this format, by its content. */
  recognises(head: Head): boolean;
  read(file: SourceFile, options?: ReadOptions): AsyncIterable<Found>;
  /** Where the program itself keeps them, below the home folder; for `import auto` and `watch`. */
  places?: readonly string[];
  /** The program rewrites its files while an answer streams in, so `watch` takes a conversation only once it stops changing. */
  rewrites?: true;
}

/** Bounds of what is held in memory at once: more than any real conversation, far less than a machine has. */
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

/** Why a message of an export is not kept. Reports count them, so that no message disappears silently. */
export const notKept = {
  empty: 'they have no text',
  tool: 'they are calls of tools or their results',
  thinking: 'they are thinking',
  program: 'they are instructions or notes of the program',
  agents: 'they are what other agents said among themselves',
  repeated: 'the export says them more than once',
  version: 'a later version of them is kept',
  takenBack: 'they were taken back',
  underWay: 'they were still being written',
  speaker: 'who speaks is told by no word for a person or an assistant',
  form: 'their text has no known form',
  missing: 'the export names them and does not hold them',
  orphan: 'they belong to no conversation of the export',
} as const;

export type NotKept = (typeof notKept)[keyof typeof notKept];

/** How many messages are left out, by reason. */
type LeftOut = Readonly<Record<string, number>>;

export interface Tally {
  add(reason: NotKept, count?: number): void;
  /** As a field to spread: absent where everything is kept. */
  field(): { leftOut?: LeftOut };
}

/** Counts what is left out of one conversation or file. */
export function createTally(): Tally {
  const counts = new Map<string, number>();
  return {
    add(reason, count = 1) {
      if (count > 0) counts.set(reason, (counts.get(reason) ?? 0) + count);
    },
    field: () => (counts.size === 0 ? {} : { leftOut: Object.fromEntries(counts) }),
  };
}
