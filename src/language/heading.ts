import type { Alias } from '../model/conversation.js';
import type { JsonObject } from '../model/json.js';
import { indexTerms } from './terms.js';

interface Headed {
  title?: string;
  metadata: JsonObject;
  aliases?: readonly Pick<Alias, 'title' | 'tags'>[];
}

/**
 * What people said a conversation is about: its title, manual tags and summary, and the titles and tags of its aliases.
 * Generated words only repeat its text.
 */
export function headingOf({ title = '', metadata: { tags, summary }, aliases = [] }: Headed): string {
  const words = Array.isArray(tags) ? tags.map(String) : [];
  const others = aliases.flatMap((alias) => [alias.title ?? '', ...(alias.tags ?? [])]);
  const known = new Set([title, ...words]);
  const added = new Set(others.filter((text) => text !== '' && !known.has(text)));
  return [title, typeof summary === 'string' ? summary : '', ...words, ...added].join(' ').trim();
}

export function headingTerms(conversation: Headed): string[] {
  return indexTerms(headingOf(conversation));
}
