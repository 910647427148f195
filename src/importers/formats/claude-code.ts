import type { Importer } from '../contract.js';
import { firstWords, readSessionLog, type Session, say } from '../reading/session-log.js';
import { joined, list, object, present, type Shape, text, time } from '../reading/shape.js';

/** Claude Code's session logs: one JSON line per record, below `.claude/projects`. */
export const claudeCode: Importer = {
  name: 'claude-code',
  label: 'Claude Code',
  howTo: 'It keeps its sessions in ~/.claude/projects; give that folder',
  accepts: (path) => path.endsWith('.jsonl'),
  places: ['.claude/projects'],
  read: (file) =>
    readSessionLog(file, {
      line,
      finish({ about, messages, seen }) {
        return {
          source: 'claude-code',
          ...present({
            title: text(about.summary) ?? firstWords({ messages, about, seen }),
            timestamp: time(about.timestamp) ?? file.changedAt,
          }),
          metadata: present({
            upstream_thread_id: text(about.sessionId),
            directory: text(about.cwd),
            git_branch: text(about.gitBranch),
            model: text(about.model),
            capture_client_version: text(about.version),
            importer: 'claude-code',
            platform: 'claude-code',
          }),
        };
      },
    }),
};

function line(record: Shape, session: Session): void {
  if (record.type === 'summary') session.about.summary ??= record.summary;
  if (record.type !== 'user' && record.type !== 'assistant') return;
  for (const key of ['sessionId', 'cwd', 'gitBranch', 'timestamp', 'version']) session.about[key] ??= record[key];
  // Compaction summaries and notes of the program are not what anybody said; side chains are other agents' talk.
  if (record.isCompactSummary === true || record.isMeta === true || record.isSidechain === true) return;
  const message = object(record.message);
  if (record.type === 'assistant') session.about.model ??= message.model;
  say(session, { role: record.type, text: saidIn(message.content), key: text(record.uuid) });
}

/** Only blocks of text: tools, their results and thinking are left out. */
function saidIn(content: unknown): string {
  if (typeof content === 'string') return visible(content);
  const blocks = list(content).map(object);
  return visible(joined(blocks.map((block) => (block.type === 'text' ? text(block.text) : imageNote(block)))));
}

function imageNote({ type }: Shape): string | undefined {
  return type === 'image' ? '[image]' : undefined;
}

/** Commands and reminders that the program puts around a prompt, in tags of its own. */
function visible(said: string): string {
  return said
    .replace(/<(system-reminder|command-name|command-message|command-args|local-command-stdout)>.*?<\/\1>/gs, '')
    .trim();
}
