import { memoryStatuses } from '../../model/conversation.js';
import type { Command } from '../command.js';
import { conversationText } from '../conversation-text.js';
import { perform } from '../perform.js';

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
    { flags: '--project-id <id>', text: 'Only in this project (default: every project you may read)' },
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
    const { value: found } = await perform(invocation, 'retrieve', payload);
    return { json: found, text: (style) => conversationText(found.memory, style) };
  },
};
