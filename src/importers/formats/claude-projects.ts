import type { Found, ImportedMessage } from '../contract.js';
import { createTally, notKept } from '../reading/left-out.js';
import { joined, list, object, present, type Shape, saidAt, text, time } from '../reading/shape.js';

const about = { importer: 'claude', platform: 'claude' };

/** A project of Claude: its description and instructions, and the files that were put into it. */
export function projectOf(project: Shape, place: string): Found {
  const leftOut = createTally();
  const instructions = joined([text(project.description), text(project.prompt_template)]);
  const files = list(project.docs).flatMap((value): ImportedMessage[] => {
    const { filename, content, created_at } = object(value);
    const words = text(content);
    if (words === undefined) leftOut.add(notKept.empty);
    return words === undefined
      ? []
      : [{ role: 'user', text: `[file: ${text(filename) ?? 'unnamed'}]\n\n${words}`, ...saidAt(created_at) }];
  });
  const messages: ImportedMessage[] = [
    ...(instructions === '' ? [] : [{ role: 'user' as const, text: instructions, ...saidAt(project.created_at) }]),
    ...files,
  ];
  if (messages.length === 0) {
    return { kind: 'skipped', place, reason: 'it is a project without instructions and files', ...leftOut.field() };
  }
  const id = text(project.uuid);
  return {
    kind: 'conversation',
    place,
    conversation: {
      source: 'claude',
      ...present({ title: text(project.name), timestamp: time(project.created_at) ?? time(project.updated_at) }),
      messages,
      metadata: present({ upstream_thread_id: id && `project:${id}`, export_part: 'project', ...about }),
    },
    ...leftOut.field(),
  };
}

/** What Claude remembers of a person, and of each project. */
export function* memoriesOf(entry: Shape, { place, at }: { place: string; at: string | undefined }): Generator<Found> {
  const account = text(entry.account_uuid) ?? 'account';
  const memories = [
    { id: `memory:${account}`, words: text(entry.conversations_memory) },
    ...Object.entries(object(entry.project_memories)).map(([id, words]) => ({
      id: `memory:project:${id}`,
      words: text(words),
    })),
  ];
  for (const { id, words } of memories) {
    if (words === undefined) continue;
    yield {
      kind: 'conversation',
      place,
      conversation: {
        source: 'claude',
        title: 'What Claude remembers',
        ...present({ timestamp: at }),
        messages: [{ role: 'assistant', text: words }],
        metadata: { upstream_thread_id: id, export_part: 'memory', ...about },
      },
    };
  }
  if (memories.every(({ words }) => words === undefined)) {
    yield { kind: 'skipped', place, reason: 'it has no messages' };
  }
}
