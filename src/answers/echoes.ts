import { derived, languageOf } from '../language/languages.js';
import { stopTermsOf } from '../language/query-terms.js';
import { queryTerms } from '../language/terms.js';
import type { Hit } from '../model/hit.js';
import { holdsNumber } from './question.js';
import { isAsking, sentencesOf } from './quote.js';

/** A longer reply adds something of its own. */
const longestEcho = 60;

/** Words with which assistants acknowledge a message. */
const acknowledging = derived((languages) => {
  const words = languages.map(({ answers }) => answers?.acknowledgements ?? '').join(' ');
  return new Set(queryTerms(words).filter((term) => !term.startsWith('~')));
});

/**
 * Replaces replies that only repeat or praise with the turn they reply to: "Nice car!" does not answer "which car".
 */
export function withoutEchoes(
  hits: readonly Hit[],
  { terms, before }: { terms: readonly string[]; before: (hit: Hit) => Hit | undefined },
): Hit[] {
  const asked = new Set(terms);
  const standing = hits.map((hit) => {
    const told = before(hit);
    if (told === undefined || !isEcho(hit, told, asked)) return hit;
    return echoed(told, hit);
  });
  const same = (hit: Hit): Hit[] => standing.filter(({ chunkId }) => chunkId === hit.chunkId);
  return standing
    .filter((hit) => same(hit)[0] === hit)
    .map((hit) => same(hit).find(({ echo }) => echo !== undefined) ?? hit);
}

function echoed(told: Hit, { text, relevance, similarity }: Hit): Hit {
  const closest = Math.max(told.similarity ?? 0, similarity ?? 0);
  return {
    ...told,
    echo: text,
    relevance: Math.max(told.relevance, relevance),
    ...(similarity === undefined ? {} : { similarity: closest }),
  };
}

function isEcho(reply: Hit, told: Hit, asked: ReadonlySet<string>): boolean {
  if (reply.role !== 'assistant' || reply.speaker !== undefined || told.role !== 'user') return false;
  if (reply.text.length > longestEcho || holdsNumber(reply.text)) return false;
  // A reply to a question is an answer, however short it is.
  if (sentencesOf(told.text.slice(0, mostRead)).some(({ text }) => isAsking(text))) return false;
  const known = new Set(queryTerms(told.text.slice(0, mostRead)));
  const small = [reply.text, told.text].map((text) => stopTermsOf(languageOf(text)));
  return queryTerms(reply.text).every(
    (term) =>
      term.startsWith('~') ||
      known.has(term) ||
      asked.has(term) ||
      acknowledging().has(term) ||
      small.some((words) => words.has(term)),
  );
}

const mostRead = 2_000;
