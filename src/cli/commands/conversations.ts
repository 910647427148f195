import { memoryStatuses } from '../../model/conversation.js';
import { withTurnLinesMoved } from '../../model/text.js';
import type { ConversationList } from '../../operations/conversations/list.js';
import type { UpdateOutput } from '../../operations/conversations/update.js';
import type { ConversationOutput } from '../../operations/present.js';
import type { Command, CommandOption, Invocation, Result } from '../command.js';
import { type FilterOptions, filterFields, filterOptions, given, statusOption } from '../filters.js';
import { markedIfDry, perform } from '../perform.js';
import { columns, counted, printable, type Style } from '../terminal.js';

interface ListOptions extends FilterOptions {
  memoryStatus?: string;
  projectId?: string;
  order?: string;
  limit?: number;
  cursor?: string;
}

export const conversationsList: Command<ListOptions> = {
  name: 'conversations list',
  summary: 'List your conversations, newest first',
  options: [
    ...filterOptions,
    statusOption('active'),
    { flags: '--project-id <id>', text: 'The project to list (default: your own)' },
    { flags: '--order <order>', text: 'Sort order (default: newest)', choices: ['newest', 'oldest'] },
    { flags: '--limit <n>', text: 'Conversations per page, 1 to 100 (default: 20)', kind: 'count' },
    { flags: '--cursor <cursor>', text: 'Continue after the page that ended with this cursor' },
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

/** Titles and tags are untrusted client input; a summary can be long. */
function oneLine(text: string): string {
  const flat = printable(text).replace(/\s+/g, ' ');
  return flat.length <= 100 ? flat : `${[...flat].slice(0, 99).join('')}…`;
}

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

/** The same as `retrieve`, under the name that people expect next to `conversations list`. */
export const conversationsShow: Command<{ memoryStatus?: string; projectId?: string }> = {
  ...retrieve,
  name: 'conversations show',
  examples: ['threadkeep conversations show 3b241101-e2bb-4255-8caf-4136c566a962'],
};

interface ChangeOptions {
  projectId?: string;
}

const idArgument = { name: '<id>', text: 'The id that `conversations list` and search print' };
const changeOptions: CommandOption[] = [
  { flags: '--project-id <id>', text: 'The project it belongs to (default: your own)' },
];
const exampleId = '3b241101-e2bb-4255-8caf-4136c566a962';

export const conversationsRename: Command<ChangeOptions> = {
  name: 'conversations rename',
  arguments: [idArgument, { name: '<title...>', text: 'The new title' }],
  summary: 'Rename a conversation',
  options: changeOptions,
  examples: [`threadkeep conversations rename ${exampleId} "Trip to Lisbon"`],
  run: (invocation) => change(invocation, (words) => ({ title: words.join(' ') })),
};

export const conversationsTag: Command<ChangeOptions> = {
  name: 'conversations tag',
  arguments: [idArgument, { name: '<tags...>', text: 'Tags to add' }],
  summary: 'Add tags to a conversation',
  options: changeOptions,
  examples: [`threadkeep conversations tag ${exampleId} travel family`],
  run: (invocation) => change(invocation, (words) => ({ add_tags: words })),
};

export const conversationsUntag: Command<ChangeOptions> = {
  name: 'conversations untag',
  arguments: [idArgument, { name: '<tags...>', text: 'Tags to remove' }],
  summary: 'Remove tags from a conversation',
  options: changeOptions,
  examples: [`threadkeep conversations untag ${exampleId} family`],
  run: (invocation) => change(invocation, (words) => ({ remove_tags: words })),
};

async function change(
  invocation: Invocation<ChangeOptions>,
  fields: (words: readonly string[]) => object,
): Promise<Result> {
  const [which, ...words] = invocation.args;
  const payload = given({ id: which, ...fields(words), project_id: invocation.options.projectId });
  const { value: changed, dryRun } = await perform(invocation, 'conversations_update', payload);
  return markedIfDry({ json: changed, text: (style) => changedText(changed, style) }, dryRun);
}

function changedText({ id, memory }: UpdateOutput, style: Style): string {
  const { title, metadata } = memory ?? {};
  const tags = Array.isArray(metadata?.tags) ? metadata.tags.map((tag) => `#${printable(String(tag))}`) : [];
  return [style.strong(printable(title ?? id)), ...tags].join(' ');
}

/**
 * A heading, then the messages in a form that `import manual` can read; no line of a text starts like a speaker label.
 */
export function conversationText(
  { id, title, source, timestamp, messages, aliases = [], metadata }: ConversationOutput,
  style: Style,
): string {
  const tags = Array.isArray(metadata.tags) ? metadata.tags.join(', ') : '';
  const facts = columns(
    [
      ['id', id],
      ['source', printable(source)],
      ['time', timestamp],
      ['tags', tags === '' ? undefined : printable(tags)],
      ...aliases.map((alias): [string, string] => ['also', printable(aliasText(alias))]),
      ['status', metadata.memory_status === 'active' ? undefined : metadata.memory_status],
    ],
    style,
  );
  const heading = title === undefined ? facts : `${style.strong(printable(title))}\n${facts}`;
  const turns = (messages ?? []).map(({ role, text }) => {
    return `${style.strong(role === 'user' ? 'User:' : 'Assistant:')}\n${printable(withTurnLinesMoved(text))}`;
  });
  return [heading, ...turns].join('\n\n');
}

function aliasText({
  source,
  title,
  timestamp,
  tags = [],
}: NonNullable<ConversationOutput['aliases']>[number]): string {
  return [source, title, timestamp, tags.join(', ')].filter((part) => part !== undefined && part !== '').join(' · ');
}
