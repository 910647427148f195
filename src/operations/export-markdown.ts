import { normalForm } from '../model/normal-form.js';
import { withTurnLinesMoved } from '../model/turn-text.js';
import type { ConversationOutput } from './present.js';

/** A conversation for reading. A line of a text that begins like a turn is moved in. */
export function markdownOf({
  id,
  title,
  source,
  timestamp,
  messages = [],
  aliases = [],
  metadata,
}: ConversationOutput): string {
  const aboutOf = (...parts: (string | undefined)[]): string => parts.filter((part) => part !== undefined).join(' · ');
  const tags = Array.isArray(metadata.tags) ? metadata.tags.map((tag) => `#${String(tag)}`) : [];
  const about = aboutOf(source, timestamp, ...tags);
  const others = aliases.map((alias) => {
    const named = (alias.tags ?? []).map((tag) => `#${tag}`);
    return ` \\\nAlso: ${aboutOf(alias.title, alias.source, alias.timestamp, ...named)}`;
  });
  const turns = messages.map(({ role, text, timestamp: said }) => {
    const speaker = role === 'user' ? 'User' : 'Assistant';
    return `**${speaker}:**${said === undefined ? '' : ` ${said}`}\n\n${withTurnLinesMoved(text)}\n`;
  });
  return `# ${title ?? 'Untitled'}\n\n${about} \\\n${id}${others.join('')}\n\n${turns.join('\n')}\n---\n\n`;
}

/** Its date, its title as far as file systems bear it, and enough of the id to be the only one. */
export function markdownName({ id, title, source, timestamp }: ConversationOutput): string {
  const words = normalForm(title ?? source, 'NFC').replace(/[^\p{L}\p{N}]+/gu, '-');
  const short = [...words]
    .slice(0, 60)
    .join('')
    .replace(/^-+|-+$/g, '');
  return `${timestamp.slice(0, 10)} ${short === '' ? 'untitled' : short} ${id.slice(0, 8)}.md`;
}
