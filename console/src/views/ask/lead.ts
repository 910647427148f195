import type { AskOutput } from '../../../../src/operations/ask/shapes.js';

/**
 * The short answer without the quotes that follow it: those are shown as quotes, with their place. Where an answer is
 * nothing but quotes, undefined.
 */
export function leadOf({ answer, citations }: Pick<AskOutput, 'answer' | 'citations'>): string | undefined {
  const quotes = citations.flatMap((citation) => (citation.type === 'chunk' ? [lettersOf(citation.text)] : []));
  const isQuote = (line: string): boolean => {
    const letters = lettersOf(line);
    return quotes.some((quote) => quote !== '' && letters.length > 3 && holds(letters, quote));
  };
  const lines = answer.split('\n').filter((line) => line.trim() !== '');
  const firstQuote = lines.findIndex((line, index) => isQuote(line) && (index > 0 || /^[^:]{4,60}: ./u.test(line)));
  const lead = (firstQuote === -1 ? lines : lines.slice(0, firstQuote)).join('\n').trim();
  return lead === '' ? undefined : lead;
}

type Answered = Pick<AskOutput, 'answer' | 'citations' | 'answer_basis' | 'parts'>;

/** The answer in a line: what a list of questions shows. Undefined where there is none. */
export function shortAnswer({ answer, citations, answer_basis, parts }: Answered): string | undefined {
  if (answer_basis === 'not_found') return undefined;
  const leads = (parts ?? [{ answer, answer_basis }]).flatMap((part) =>
    part.answer_basis === 'not_found' ? [] : [leadOf({ answer: part.answer, citations }) ?? part.answer],
  );
  return leads.map((lead) => lead.split('\n')[0] ?? '').join(' · ');
}

/** A line quotes what it begins to quote: long quotes are cut on either side. */
function holds(line: string, quote: string): boolean {
  const start = quote.slice(0, 30);
  return start.length >= 4 && line.includes(start);
}

function lettersOf(text: string): string {
  return text
    .slice(0, 4_000)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
