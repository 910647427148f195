import type { Alias, MemoryStatus } from '../../model/conversation.js';
import { factChangeKinds } from '../../model/fact.js';
import type { JsonObject } from '../../model/json.js';
import { utcTime } from '../../model/time.js';
import {
  createTally,
  type FactName,
  type Found,
  type ImportedFactChange,
  type ImportedMessage,
  type Importer,
  limits,
  notKept,
} from '../contract.js';
import { jsonLines, list, object, present, type Shape, text } from '../reading/json.js';

/**
 * The output of `threadkeep export`. Facts are derived from the conversations, so only the user's decisions are read.
 */
export const threadkeep: Importer = {
  name: 'threadkeep',
  label: 'Threadkeep',
  howTo: 'threadkeep export --output memory.jsonl; give that file',
  accepts: (path) => path.endsWith('.jsonl'),
  recognises: ({ text: head }) => /^\s*\{\s*"type"\s*:\s*"threadkeep-export"/.test(head),
  async *read(file) {
    let own: string | undefined;
    const decisions = createDecisions();
    for await (const line of jsonLines(file.read(), limits.ownLineBytes)) {
      const place = `${file.path} line ${line.number}`;
      if ('broken' in line) {
        yield { kind: 'skipped', place, reason: line.broken };
        continue;
      }
      const record = object(line.value);
      const project = object(record.project);
      // The first project is the exporter's private one; it becomes the importer's private one, whatever its name.
      if (record.type === 'project' && (own === undefined || project.is_default === true)) own = text(project.id);
      if (record.type === 'conversation') yield found(object(record.conversation), place, own);
      if (record.type === 'fact') decisions.add(record, place, own);
    }
    yield* decisions.all();
  },
};

function found(conversation: Shape, place: string, own: string | undefined): Found {
  const leftOut = createTally();
  const messages = list(conversation.messages).flatMap((value): ImportedMessage[] => {
    const { role, text: said, timestamp } = object(value);
    if ((role !== 'user' && role !== 'assistant') || typeof said !== 'string') {
      leftOut.add(typeof said === 'string' ? notKept.speaker : notKept.form);
      return [];
    }
    // Kept as sent, unlike times from other programs; an invalid time must not reject the whole conversation.
    const isTime = typeof timestamp === 'string' && utcTime(timestamp) !== undefined;
    return [{ role, text: said, ...(isTime ? { timestamp } : {}) }];
  });
  if (messages.length === 0) return { kind: 'skipped', place, reason: 'it has no messages', ...leftOut.field() };
  const { memory_status: status, project_id: project, ...metadata } = object(conversation.metadata);
  return {
    kind: 'conversation',
    place,
    conversation: {
      source: text(conversation.source) ?? 'import',
      ...present({
        id: text(conversation.id),
        project: project === own ? undefined : text(project),
        title: text(conversation.title),
        timestamp: text(conversation.timestamp),
      }),
      ...(status === 'pending_review' || status === 'rejected' ? { memoryStatus: status as MemoryStatus } : {}),
      messages,
      metadata: metadata as JsonObject,
      ...aliasesOf(conversation.aliases),
    },
    ...leftOut.field(),
  };
}

/** Invalid aliases are dropped: they must not reject the conversation. */
function aliasesOf(value: unknown): { aliases?: Alias[] } {
  const aliases = list(value).flatMap((each): Alias[] => {
    const { source, title, timestamp, thread_id, upstream_thread_id, tags, added_at } = object(each);
    const named = text(source);
    if (named === undefined) return [];
    const isTime = typeof timestamp === 'string' && utcTime(timestamp) !== undefined;
    const manual = list(tags).flatMap((tag) => text(tag) ?? []);
    return [
      {
        source: named,
        ...present({
          title: text(title),
          timestamp: isTime ? timestamp : undefined,
          thread_id: text(thread_id),
          upstream_thread_id: text(upstream_thread_id),
        }),
        ...(manual.length === 0 ? {} : { tags: manual }),
        added_at: utcTime(text(added_at) ?? '') ?? '',
      },
    ];
  });
  return aliases.length === 0 ? {} : { aliases };
}

/** The maximum number of changes kept for one fact. */
const mostChanges = 100;

/** A decision refers to the other fact by id; both can be resolved once every line is read. */
function createDecisions() {
  const names = new Map<string, FactName>();
  const decided: { id: string; by: string; at: string; place: string; project?: string }[] = [];
  const changed: { fact: FactName; changes: unknown[]; place: string; project?: string }[] = [];
  return {
    add({ fact: value, object_key, superseded_by_hand: hand, changes }: Shape, place: string, own?: string): void {
      const fact = object(value);
      const id = text(fact.id);
      const [subject, predicate, objectKey] = [text(fact.subject), text(fact.predicate), text(object_key)];
      if (id === undefined || subject === undefined || predicate === undefined || objectKey === undefined) return;
      const name = { subject, predicate, objectKey };
      names.set(id, name);
      const project = fact.project_id === own ? undefined : text(fact.project_id);
      const inProject = project === undefined ? {} : { project };
      const made = list(changes).slice(-mostChanges);
      if (made.length > 0) changed.push({ fact: name, changes: made, place, ...inProject });
      const [by, at] = [text(object(hand).superseded_by), utcTime(text(object(hand).superseded_at) ?? '')];
      if (by !== undefined && at !== undefined) decided.push({ id, by, at, place, ...inProject });
    },
    /** Changes come first: a decision may be about a fact that was entered by hand. */
    *all(): Generator<Found> {
      for (const { place, changes, ...about } of changed) {
        const made = changes.flatMap((change) => changeOf(object(change), names));
        if (made.length > 0) yield { kind: 'fact_changes', place, changed: { ...about, changes: made } };
      }
      for (const { id, by, at, place, ...project } of decided) {
        const [fact, supersededBy] = [names.get(id), names.get(by)];
        if (fact === undefined || supersededBy === undefined) continue;
        yield { kind: 'decision', place, decision: { fact, supersededBy, at, ...project } };
      }
    },
  };
}

function changeOf(change: Shape, names: ReadonlyMap<string, FactName>): ImportedFactChange[] {
  const kind = factChangeKinds.find((each) => each === change.kind);
  const at = utcTime(text(change.at) ?? '');
  if (kind === undefined || at === undefined) return [];
  const other = names.get(text(change.by ?? change.corrects) ?? '');
  const value = text(change.value);
  const until = utcTime(text(change.until) ?? '');
  return [
    {
      kind,
      at,
      ...(value === undefined ? {} : { value }),
      ...(change.pinned === true ? { pinned: true } : {}),
      ...(until === undefined ? {} : { until }),
      ...(other === undefined ? {} : { other }),
      ...(kind === 'detached' ? { detached: list(change.sources).flatMap((source) => placeOf(object(source))) } : {}),
    },
  ];
}

function placeOf({ message_index, start, stated_at }: Shape): NonNullable<ImportedFactChange['detached']> {
  const at = utcTime(text(stated_at) ?? '');
  if (typeof message_index !== 'number' || typeof start !== 'number' || at === undefined) return [];
  return [{ message_index, start, stated_at: at }];
}
