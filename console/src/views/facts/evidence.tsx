import type { FactOutput } from '../../../../src/operations/facts/present.js';
import { linkTo } from '../../router.js';

type Source = FactOutput['sources'][number];

/** The address of the message that states a fact. */
export function placeOf({ conversation_id, message_index }: Source): string {
  return linkTo('search', { open: conversation_id, at: String(message_index) });
}

/** A value leads to the newest message that states it; one that was entered by hand leads nowhere. */
export function Value({ fact }: { fact: FactOutput }) {
  const newest = fact.sources.at(-1);
  if (newest === undefined) return <span class="value">{fact.object_normalized}</span>;
  return (
    <a class="value" href={placeOf(newest)}>
      {fact.object_normalized}
    </a>
  );
}
