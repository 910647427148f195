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

/**
 * The lead where no message clearly answers ("No clear answer. The nearest mentions:"), without its announcement of the
 * quotes, which have a heading of their own. Undefined where there is an answer, or a guess.
 */
export function unclearLead(lead: string): string | undefined {
  const text = lead.trim();
  if (!/[:：]$/u.test(text)) return undefined;
  const end = Math.max(...['.', '。', '!', '\n'].map((sign) => text.lastIndexOf(sign)));
  return end === -1 ? text.slice(0, -1).trim() : text.slice(0, end + 1).trim();
}

type Answered = Pick<AskOutput, 'answer' | 'citations' | 'answer_basis' | 'parts'>;

/** The answer in a line: what a list of questions shows. Undefined where there is none. */
export function shortAnswer({ answer, citations, answer_basis, parts }: Answered): string | undefined {
  if (answer_basis === 'not_found') return undefined;
  const leads = (parts ?? [{ answer, answer_basis }]).flatMap((part) =>
    part.answer_basis === 'not_found' ? [] : [leadOf({ answer: part.answer, citations }) ?? part.answer],
  );
  return leads.map((lead) => (unclearLead(lead) ?? lead).split('\n')[0] ?? '').join(' · ');
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
