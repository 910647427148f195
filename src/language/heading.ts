import type { JsonObject } from '../model/json.js';
import { indexTerms } from './terms.js';

interface Headed {
  title?: string;
  metadata: JsonObject;
}

/** What people said a conversation is about: its title, manual tags and summary. Generated words only repeat its text. */
export function headingOf({ title = '', metadata: { tags, summary } }: Headed): string {
  const words = Array.isArray(tags) ? tags.map(String) : [];
  return [title, typeof summary === 'string' ? summary : '', ...words].join(' ').trim();
}

export function headingTerms(conversation: Headed): string[] {
  return indexTerms(headingOf(conversation));
}
