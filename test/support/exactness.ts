import { expect } from 'vitest';
import { aConversation, turns } from './conversation.js';
import fc from './properties.js';
import type { TestService } from './service.js';

const words =
  'glacier lagoon cold ok the is was we saw it near Park im Jazz don’t B-52 node.js Grüße 2026 useEffect'.split(' ');
const word = fc.constantFrom(...words);
const message = fc
  .tuple(fc.array(word, { minLength: 3, maxLength: 9 }), fc.constantFrom('', '.', '!', '?'))
  .map(([parts, end]) => `${parts.join(' ')}${end}`);
const store = fc.array(fc.array(message, { minLength: 1, maxLength: 5 }), { minLength: 2, maxLength: 6 });

/**
 * Random conversations of few words, so that many hold the same ones; then each of several stored messages is looked for by
 * a part of at least three words. First must be the message itself, or one that was said before it and is as exact.
 */
export async function expectExactFirst(service: TestService, { runs = 4 }: { runs?: number } = {}): Promise<void> {
  const said: string[] = [];
  await fc.assert(
    fc.asyncProperty(store, fc.infiniteStream(fc.nat(1_000)), async (conversations, numbers) => {
      const draw = (below: number): number => Number(numbers.next().value) % below;
      for (const texts of conversations) {
        const at = new Date(Date.UTC(2026, 0, 1) + said.length * 60_000).toISOString();
        const stored = await service.insert(aConversation({ messages: turns(...texts), timestamp: at }));
        if (!stored.deduplicated) said.push(...texts);
      }
      for (let query = 0; query < 6; query++) {
        const parts = (said[draw(said.length)] ?? '').split(' ');
        const start = draw(parts.length - 2);
        const part = parts.slice(start, start + 3 + draw(parts.length - start - 2)).join(' ');
        const { results } = await service.search({ query: part, top_k: 3 });
        const [first] = results;
        expect(first).toMatchObject({ text: firstHolder(said, part) });
      }
    }),
    { numRuns: runs },
  );
}

/** By the plainest definition there is: equal before containing, as typed before in other signs, earlier before later. */
function firstHolder(texts: readonly string[], query: string): string {
  const bare = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
  const asked = bare(query);
  const grade = (text: string): number => {
    const typed = text.includes(query) ? 1 : 0;
    if (bare(text) === asked) return 3 + typed;
    return ` ${bare(text)} `.includes(` ${asked} `) ? 1 + typed : 0;
  };
  return texts.reduce((best, text) => (grade(text) > grade(best) ? text : best), texts[0] ?? '');
}
