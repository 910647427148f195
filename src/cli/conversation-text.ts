import { withTurnLinesMoved } from '../model/turn-text.js';
import type { ConversationOutput } from '../operations/present.js';
import { columns, printable, type Style } from './style.js';

/** A heading, then the turns in a form that `import manual` reads again; a line of a text never begins like a turn. */
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
