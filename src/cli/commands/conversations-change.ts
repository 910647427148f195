import type { UpdateOutput } from '../../operations/conversations/update.js';
import type { Command, CommandOption, Invocation, Result } from '../command.js';
import { markedIfDry } from '../dry-run-mark.js';
import { given } from '../payload.js';
import { perform } from '../perform.js';
import { printable, type Style } from '../style.js';

interface ChangeOptions {
  projectId?: string;
}

const id = { name: '<id>', text: 'The id that `conversations list` and search print' };
const options: CommandOption[] = [
  { flags: '--project-id <id>', text: 'The project it belongs to (default: your own)' },
];
const example = '3b241101-e2bb-4255-8caf-4136c566a962';

export const conversationsRename: Command<ChangeOptions> = {
  name: 'conversations rename',
  arguments: [id, { name: '<title...>', text: 'The new title' }],
  summary: 'Give a conversation another title',
  options,
  examples: [`threadkeep conversations rename ${example} "Trip to Lisbon"`],
  run: (invocation) => change(invocation, (words) => ({ title: words.join(' ') })),
};

export const conversationsTag: Command<ChangeOptions> = {
  name: 'conversations tag',
  arguments: [id, { name: '<tags...>', text: 'Tags to add' }],
  summary: 'Add tags to a conversation',
  options,
  examples: [`threadkeep conversations tag ${example} travel family`],
  run: (invocation) => change(invocation, (words) => ({ add_tags: words })),
};

export const conversationsUntag: Command<ChangeOptions> = {
  name: 'conversations untag',
  arguments: [id, { name: '<tags...>', text: 'Tags to take away' }],
  summary: 'Take tags away from a conversation',
  options,
  examples: [`threadkeep conversations untag ${example} family`],
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
