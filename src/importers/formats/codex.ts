import type { Importer } from '../contract.js';
import { firstWords, readSessionLog, type Session, say } from '../reading/session-log.js';
import { joined, list, object, present, type Shape, text, time } from '../reading/shape.js';

/** Codex's rollouts: one JSON line per event, below `.codex/sessions`. */
export const codex: Importer = {
  name: 'codex',
  label: 'Codex',
  howTo: 'It keeps its sessions in ~/.codex/sessions; give that folder',
  accepts: (path) => /(^|\/)rollout-[^/]*\.jsonl$/.test(path) || path.endsWith('.jsonl'),
  places: ['.codex/sessions', '.codex/archived_sessions'],
  read: (file) =>
    readSessionLog(file, {
      line,
      finish(session) {
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
      },
    }),
};

/** Newer logs wrap each record in a payload; the oldest ones have it bare. */
function line(record: Shape, session: Session): void {
  const payload = record.payload === undefined ? record : object(record.payload);
  if (record.type === 'session_meta')
    Object.assign(session.about, payload, { timestamp: payload.timestamp ?? record.timestamp });
  if (record.type === 'turn_context') session.about.model ??= payload.model;
  if (record.payload === undefined && record.id !== undefined && record.type === undefined)
    Object.assign(session.about, record);
  const isItem = record.type === 'response_item' || record.payload === undefined;
  if (!isItem || payload.type !== 'message') return;
  if (payload.role !== 'user' && payload.role !== 'assistant') return;
  const said = joined(list(payload.content).map(object).map(blockText));
  if (payload.role === 'user' && isSurrounding(said)) return;
  const turn = text(object(payload.internal_chat_message_metadata_passthrough).turn_id);
  replaceSameTurn(session, payload.role === 'user' ? turn : undefined);
  say(session, {
    role: payload.role,
    text: said,
    key: turn === undefined ? undefined : `${payload.role} ${turn} ${said}`,
  });
}

function blockText(block: Shape): string | undefined {
  if (block.type === 'input_text' || block.type === 'output_text' || block.type === 'text') return text(block.text);
  return block.type === 'input_image' ? '[image]' : undefined;
}

/** What the program tells the model about the place it works in is no prompt. */
function isSurrounding(said: string): boolean {
  return /^<(environment_context|user_instructions|permissions instructions|turn_aborted)\b/.test(said.trim());
}

/** Of several records of one turn only the last counts: the earlier ones are the same prompt with more around it. */
function replaceSameTurn(session: Session, turn: string | undefined): void {
  const last = session.messages.at(-1);
  if (turn !== undefined && last?.role === 'user' && last.key?.startsWith(`user ${turn} `)) session.messages.pop();
}
