import {
  createTally,
  type Found,
  type ImportedConversation,
  type Importer,
  notKept,
  type SourceFile,
} from '../contract.js';
import {
  joined,
  list,
  nothing,
  object,
  present,
  readJsonFile,
  type Shape,
  saidAt,
  text,
  time,
} from '../reading/json.js';
import { firstWords, otherAgents, readSessionLog, type Session, say } from '../reading/session-log.js';

/** Codex's rollouts: one JSON event per line, below `.codex/sessions`. */
export const codex: Importer = {
  name: 'codex',
  label: 'Codex',
  howTo: 'It keeps its sessions in ~/.codex/sessions; give that folder',
  accepts: (path) => path.endsWith('.jsonl') || /(^|\/)rollout-[^/]*\.json$/.test(path),
  recognises: ({ text: head }) =>
    /^\s*\{[^\n]{0,200}"(type"\s*:\s*"session_meta"|record_type"\s*:)/.test(head) ||
    /"type"\s*:\s*"response_item"/.test(head) ||
    (/^\s*\{\s*"session"\s*:/.test(head) && /"items"\s*:/.test(head)) ||
    (/^\s*\{"id":"[0-9a-f-]{36}","timestamp":/.test(head) && /"type":"message","role":/.test(head)),
  places: ['.codex/sessions', '.codex/archived_sessions'],
  read: (file) => (file.path.endsWith('.json') ? readJsonFile(file, oldest) : readLog(file)),
};

function readLog(file: SourceFile): AsyncGenerator<Found> {
  return readSessionLog(file, {
    line,
    leaveOut: ({ about }) => ('subagent' in object(about.source) ? otherAgents : undefined),
    finish: (session) => aboutOf(session, file),
  });
}

/** The oldest rollouts are a single JSON value: the session and its items. */
function* oldest(value: unknown, file: SourceFile): Generator<Found> {
  const { session: head, items } = object(value);
  const session: Session = { messages: [], spare: [], about: object(head), seen: new Set(), leftOut: createTally() };
  for (const item of list(items).map(object)) {
    if (item.type === 'message' || (item.type === undefined && item.role !== undefined)) {
      message(item, session, item.timestamp);
    }
  }
  const messages = session.messages.map(({ key: _, ...each }) => each);
  if (messages.length === 0) yield { ...nothing(file.path), ...session.leftOut.field() };
  else {
    const conversation = { ...aboutOf(session, file), messages };
    yield { kind: 'conversation', place: file.path, conversation, ...session.leftOut.field() };
  }
}

function aboutOf(session: Session, file: SourceFile): Omit<ImportedConversation, 'messages'> {
  const { about } = session;
  const git = object(about.git);
  return {
    source: 'codex',
    ...present({ title: firstWords(session), timestamp: time(about.timestamp) ?? file.changedAt }),
    metadata: present({
      upstream_thread_id: text(about.id),
      directory: text(about.cwd),
      originator: text(about.originator),
      session_source: text(about.source),
      model_provider: text(about.model_provider),
      model: text(about.model),
      git_branch: text(git.branch),
      git_commit: text(git.commit_hash),
      capture_client_version: text(about.cli_version),
      importer: 'codex',
      platform: 'codex',
    }),
  };
}

/** Newer logs wrap each record in a payload; the oldest ones do not. */
function line(record: Shape, session: Session): void {
  const { about } = session;
  const payload = record.payload === undefined ? record : object(record.payload);
  // The log of a forked session repeats its parent's header further down: the first header is its own.
  if (record.type === 'session_meta' && about.id === undefined)
    Object.assign(about, payload, { timestamp: payload.timestamp ?? record.timestamp });
  if (record.type === 'turn_context') about.model ??= payload.model;
  if (record.payload === undefined && record.id !== undefined && record.type === undefined)
    Object.assign(about, record);
  if (record.type === 'event_msg') event(payload, session, record.timestamp);
  const isItem = record.type === 'response_item' || record.payload === undefined;
  if (isItem && payload.type === 'message') message(payload, session, record.timestamp);
}

/** Most logs record each message twice, for the model and for the screen; some have only the latter. */
function event(payload: Shape, session: Session, at: unknown): void {
  const said = text(payload.message);
  if (said === undefined) return;
  if (payload.type === 'user_message' && !isSurrounding(said)) {
    session.spare.push({ role: 'user', text: asked(said), ...saidAt(at) });
  }
  if (payload.type === 'agent_message') {
    session.spare.push({ role: 'assistant', text: said, ...saidAt(at) });
  }
}

function message({ role, content, ...payload }: Shape, session: Session, at: unknown): void {
  if (role !== 'user' && role !== 'assistant') {
    session.leftOut.add(notKept.program);
    return;
  }
  const blocks = typeof content === 'string' ? [text(content)] : list(content).map(object).map(blockText);
  const kept = role === 'user' ? blocks.filter((block) => block === undefined || !isSurrounding(block)) : blocks;
  const said = role === 'user' ? asked(joined(kept)) : joined(kept);
  if (said === '') {
    session.leftOut.add(blocks.length > kept.length ? notKept.program : notKept.empty);
    return;
  }
  const turn = text(object(payload.internal_chat_message_metadata_passthrough).turn_id);
  if (role === 'user' && isRepeated(session, turn, said)) {
    session.messages.pop();
    session.leftOut.add(notKept.repeated);
  }
  say(session, { role, text: said, ...saidAt(at), key: turn === undefined ? undefined : `${role} ${turn} ${said}` });
}

function blockText(block: Shape): string | undefined {
  if (block.type === 'input_text' || block.type === 'output_text' || block.type === 'text') return text(block.text);
  return block.type === 'input_image' ? '[image]' : undefined;
}

const surroundings =
  /^(# AGENTS\.md instructions for |<(environment_context|user_instructions|INSTRUCTIONS|permissions instructions|turn_aborted|recommended_plugins|available_skills|skill|collaboration_mode|user_shell_command|subagent_notification)\b)/;

/** The program's description of its environment is not a prompt. */
function isSurrounding(said: string): boolean {
  return surroundings.test(said.trimStart());
}

/** The editor extension puts the open files before the prompt. */
function asked(said: string): string {
  if (!said.startsWith('# Context from my IDE setup')) return said;
  return said.split(/^## My request for Codex:\s*/m)[1] ?? said;
}

/**
 * A turn may record its prompt twice, first with additional text. A different text is a prompt sent in the meantime.
 */
function isRepeated(session: Session, turn: string | undefined, said: string): boolean {
  const last = session.messages.at(-1);
  if (turn === undefined || last?.role !== 'user') return false;
  return last.key?.startsWith(`user ${turn} `) === true && last.text.includes(said);
}
