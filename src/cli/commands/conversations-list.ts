import type { ConversationList } from '../../operations/conversations/list.js';
import type { Command } from '../command.js';
import { type FilterOptions, filterFields, filterOptions, statusOption } from '../filter-options.js';
import { given } from '../payload.js';
import { perform } from '../perform.js';
import { counted, printable, type Style } from '../style.js';

interface ListOptions extends FilterOptions {
  memoryStatus?: string;
  projectId?: string;
  order?: string;
  limit?: number;
  cursor?: string;
}

export const conversationsList: Command<ListOptions> = {
  name: 'conversations list',
  summary: 'List your conversations, the newest first',
  options: [
    ...filterOptions,
    statusOption('active'),
    { flags: '--project-id <id>', text: 'The project to list (default: your own)' },
    { flags: '--order <order>', text: 'What comes first (default: newest)', choices: ['newest', 'oldest'] },
    { flags: '--limit <n>', text: 'Conversations per page, 1 to 100 (default: 20)', kind: 'count' },
    { flags: '--cursor <cursor>', text: 'Go on after the page that ended with this cursor' },
  ],
  examples: [
    'threadkeep conversations list',
    'threadkeep conversations list --source chatgpt --date-from 2026-01-01 --limit 100',
    'threadkeep conversations list --memory-status pending_review --json',
  ],
  async run(invocation) {
    const { options } = invocation;
    const payload = given({
      ...filterFields(options),
      memory_status: options.memoryStatus,
      project_id: options.projectId,
      order: options.order,
      limit: options.limit,
      cursor: options.cursor,
    });
    const { value: found } = await perform(invocation, 'conversations_list', payload);
    return { json: found, text: (style) => listText(found, style) };
  },
};

function listText({ results, total, cursor }: ConversationList, style: Style): string {
  if (results.length === 0) return 'no conversations';
  const lines = results.map(({ id, title, source, timestamp, message_count, metadata }) => {
    const name = style.strong(oneLine(title ?? String(metadata.generated_summary ?? id)));
    const tags = Array.isArray(metadata.tags) ? metadata.tags.map((tag) => `#${oneLine(String(tag))}`) : [];
    const about = [timestamp.slice(0, 10), oneLine(source), counted(message_count, 'message'), ...tags].join(' · ');
    return `${name}\n   ${about}\n   ${style.faint(id)}`;
  });
  const shown = `${results.length} of ${counted(total, 'conversation')}`;
  const next = cursor === null ? '' : `; next page: the same command with --cursor ${cursor}`;
  return [...lines, style.faint(shown + next)].join('\n\n');
}

/** Titles and tags are the client's words; a summary can be long. */
function oneLine(text: string): string {
  const flat = printable(text).replace(/\s+/g, ' ');
  return flat.length <= 100 ? flat : `${[...flat].slice(0, 99).join('')}…`;
}
