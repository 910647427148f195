import type { ConversationRow } from '../../records/store.js';
import { groupBy, rankedAlone, rankGroups } from '../../retrieval/group.js';
import type { RankedHit } from '../../retrieval/rank.js';
import { threadOfOne } from '../conversation-filter.js';
import type { SearchInput } from './input.js';
import type { Entry } from './present.js';

interface Grouping {
  mode: SearchInput['result_mode'];
  conversations: ReadonlyMap<string, ConversationRow>;
  /** Those of the ranked chunks that are shown; the others only count for their conversations. */
  shown?: readonly RankedHit[];
}

/** Ranked chunks as what one result is in this mode, in the order of its own evidence. */
export function entriesOf(ranked: readonly RankedHit[], { mode, conversations, shown = ranked }: Grouping): Entry[] {
  const ofConversations = rankGroups(groupBy(ranked, (chunk) => chunk.conversationId));
  const byConversation = new Map(ofConversations.map((group) => [group.key, group]));
  const keyOf = (chunk: RankedHit): string => {
    if (mode === 'chunks') return chunk.chunkId;
    if (mode !== 'threads') return chunk.conversationId;
    return conversations.get(chunk.conversationId)?.thread_id ?? threadOfOne(chunk.conversationId);
  };
  const groups = groupBy(shown, keyOf);
  const inOrder = mode === 'chunks' ? groups.map(rankedAlone) : rankGroups(groups);
  return inOrder.map((group) => ({ group, byConversation, conversations }));
}
