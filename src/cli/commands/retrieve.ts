import { memoryStatuses } from '../../model/conversation.js';
import type { ConversationOutput } from '../../operations/present.js';
import type { Command } from '../command.js';
import { withRuntime } from '../open.js';
import { columns, printable, type Style } from '../style.js';

export const retrieve: Command<{ memoryStatus?: string; projectId?: string }> = {
  name: 'retrieve',
  arguments: [{ name: '<id>', text: 'The id that ingest and search print' }],
  summary: 'Print one stored conversation',
  options: [
    {
      flags: '--memory-status <status>',
      text: 'Only a memory in this state (default: active)',
      choices: [...memoryStatuses, 'all'],
    },
    { flags: '--project-id <id>', text: 'The project it belongs to (default: your own)' },
  ],
  examples: [
    'threadkeep retrieve 3b241101-e2bb-4255-8caf-4136c566a962',
    'threadkeep retrieve 3b241101-e2bb-4255-8caf-4136c566a962 --memory-status all --json',
  ],
  async run(invocation) {
    const { memoryStatus, projectId } = invocation.options;
    const payload = {
      id: invocation.args[0],
      ...(memoryStatus === undefined ? {} : { memory_status: memoryStatus }),
      ...(projectId === undefined ? {} : { project_id: projectId }),
    };
    const { operations } = await import('../../operations/table.js');
    const found = await withRuntime(invocation, ({ runtime, call }) =>
      operations.retrieve.execute(runtime.service, call, payload),
    );
    return { json: found, text: (style) => conversationText(found.memory, style) };
  },
};

/** A heading, then the turns in a form that `import manual` reads again. */
function conversationText(
  { id, title, source, timestamp, messages, metadata }: ConversationOutput,
  style: Style,
): string {
  const tags = Array.isArray(metadata.tags) ? metadata.tags.join(', ') : '';
  const facts = columns(
    [
      ['id', id],
      ['source', printable(source)],
      ['time', timestamp],
      ['tags', tags === '' ? undefined : printable(tags)],
      ['status', metadata.memory_status === 'active' ? undefined : metadata.memory_status],
    ],
    style,
  );
  const heading = title === undefined ? facts : `${style.strong(printable(title))}\n${facts}`;
  const turns = (messages ?? []).map(({ role, text }) => {
    return `${style.strong(role === 'user' ? 'User:' : 'Assistant:')}\n${printable(text)}`;
  });
  return [heading, ...turns].join('\n\n');
}
