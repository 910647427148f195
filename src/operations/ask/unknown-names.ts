import type { Name, Question } from '../../answers/question.js';
import { mentions, nameTerms, otherSpellings } from '../../language/names.js';
import { headingOf, queryTerms } from '../../language/terms.js';
import { type ConversationRow, messageId } from '../../records/rows.js';
import type { Ranked } from '../../retrieval/rank.js';
import type { Plan } from '../search/gather.js';
import type { Service } from '../service.js';

/** How many matches of a name are read to see whether it is really there. */
const mostRead = 200;

interface Searched {
  question: Question;
  ranked: readonly Ranked[];
  conversations: ReadonlyMap<string, ConversationRow>;
}

/**
 * The names of a question that stand nowhere in what was searched, neither as a speaker nor in a text, title, tag or summary. The index
 * knows stems alone, in which Tim and time are the same, so the texts themselves are read.
 */
export async function unknownAmong(service: Service, plan: Plan, searched: Searched): Promise<string[]> {
  const { question, ranked, conversations } = searched;
  const spoken = new Set(ranked.flatMap(({ speaker }) => (speaker === undefined ? [] : nameTerms(speaker))));
  const near = [...ranked.map(({ text }) => text), ...[...conversations.values()].map(headingOf)];
  const unknown = await Promise.all(
    question.names.map(async (name) => {
      if (name.terms.some((term) => spoken.has(term)) || near.some((text) => mentions(text, name.written))) return [];
      return (await standsInText(service, plan, name)) ? [] : [name.written];
    }),
  );
  return unknown.flat();
}

async function standsInText(service: Service, plan: Plan, name: Name): Promise<boolean> {
  const { visibility, conversationIds } = plan;
  const { chunks, conversations } = service.records;
  const spellings = otherSpellings(name.written).flatMap((spelling) => queryTerms(spelling));
  const query = { terms: [...new Set([...name.terms, ...spellings])], conversationIds, limit: mostRead };
  const hits = await chunks.searchText(visibility, query);
  if (hits === undefined) return false;
  // Among so many the name may stand anywhere: it gets the benefit of the doubt.
  if (hits.length === mostRead) return true;
  const rows = await chunks.byIds(
    visibility,
    hits.map(({ id }) => id),
  );
  const messages = await conversations.messagesAt(rows);
  return rows.some(({ conversation_id, message_index }) => {
    const message = messages.get(messageId(conversation_id, message_index));
    return message !== undefined && mentions(message.text, name.written);
  });
}
