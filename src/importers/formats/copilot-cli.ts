import { type Importer, notKept } from '../contract.js';
import { firstWords, readSessionLog, type Session, say } from '../reading/session-log.js';
import { list, object, present, type Shape, saidAt, text, time } from '../reading/shape.js';

/** Copilot CLI's events: one JSON line per event, below `.copilot/session-state`. */
export const copilotCli: Importer = {
  name: 'copilot-cli',
  label: 'GitHub Copilot CLI',
  howTo: 'It keeps its sessions in ~/.copilot/session-state; give that folder',
  accepts: (path) => path.endsWith('.jsonl'),
  recognises: ({ text: head }) => /"type"\s*:\s*"(session\.start|user\.message|assistant\.message)"/.test(head),
  places: ['.copilot/session-state', '.copilot/history-session-state'],
  read: (file) =>
    readSessionLog(file, {
      line,
      finish(session) {
        const { about } = session;
        const context = object(about.context);
        return {
          source: 'copilot-cli',
          ...present({
            title: text(about.title) ?? firstWords(session),
            timestamp: time(about.startTime) ?? time(about.timestamp) ?? file.changedAt,
          }),
          metadata: present({
            upstream_thread_id: text(about.sessionId),
            model: text(about.selectedModel) ?? text(about.model),
            directory: text(context.cwd),
            git_root: text(context.gitRoot),
            git_repository: text(context.repository),
            git_branch: text(context.branch),
            capture_client_version: text(about.copilotVersion),
            importer: 'copilot-cli',
            platform: 'copilot-cli',
          }),
        };
      },
    }),
};

function line(record: Shape, session: Session): void {
  const data = object(record.data);
  const type = text(record.type) ?? '';
  session.about.timestamp ??= record.timestamp;
  if (data.sessionId !== undefined && data.startTime !== undefined) Object.assign(session.about, data);
  if (type.includes('title')) session.about.title = data.title ?? session.about.title;
  // Agents also talk to each other; only messages between the person and the assistant are a conversation.
  const isMessage = type === 'user.message' || type === 'assistant.message';
  if (text(record.agentId) !== undefined || text(data.parentToolCallId) !== undefined) {
    if (isMessage) session.leftOut.add(notKept.agents);
    return;
  }
  const key = text(data.messageId) ?? text(record.id);
  const said = { text: text(data.content) ?? '', ...saidAt(record.timestamp), key };
  if (type === 'user.message') {
    const isTyped = data.source === undefined || data.source === null || data.source === 'user';
    if (isTyped) say(session, { role: 'user', ...said });
    else session.leftOut.add(notKept.program);
  }
  if (type === 'assistant.message') {
    session.about.model ??= data.model;
    const isWork = said.text === '' && list(data.toolRequests).length > 0;
    if (isWork) session.leftOut.add(notKept.tool);
    else say(session, { role: 'assistant', ...said });
  }
}
