import type { MemoryStatus, Role } from '../model/conversation.js';
import type { FactChange } from '../model/fact.js';
import type { JsonObject } from '../model/json.js';
import type { LeftOut } from './reading/left-out.js';

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

/** What a person may say about a format that does not speak for itself. */
export interface ReadOptions {
  /** Which field holds what, for the generic format: `text` is in `body`, say. */
  fields?: Readonly<Record<string, string>>;
  source?: string;
}

export interface Importer {
  /** The word after `threadkeep import`. */
  name: string;
  /** Whose conversations these are, for people. */
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
  /** Its files are written anew while an answer grows, so `watch` takes a conversation only when it has come to rest. */
  rewrites?: true;
}
