import type { AskOutput, Citation } from '../operations/ask/output.js';
import { printable, type Style } from './style.js';

/** The answer, how sure it is and why, then a line for each source. */
export function askText(answer: AskOutput, style: Style): string {
  const parts = [style.strong(printable(answer.answer)), confidenceLine(answer, style)];
  if (answer.citations.length > 0) {
    parts.push(answer.citations.map((citation, at) => sourceLine(citation, at + 1, answer, style)).join('\n'));
  }
  if (answer.tokenizer_used !== undefined) {
    const { context_tokens_used: tokens, chunks_selected: kept, chunks_dropped: dropped } = answer;
    parts.push(style.faint(`${tokens} tokens (${answer.tokenizer_used}), ${kept} chunks used, ${dropped} dropped`));
  }
  if (answer.diagnostics !== undefined) {
    parts.push(style.faint('The embedding model did not answer: found by keywords alone.'));
  }
  return parts.join('\n\n');
}

function confidenceLine({ confidence, confidence_reason, answer_basis }: AskOutput, style: Style): string {
  const basis = answer_basis.replace('_', ' ');
  return style.faint(`${basis}, confidence ${confidence}: ${printable(confidence_reason)}`);
}

function sourceLine(citation: Citation, number: number, answer: AskOutput, style: Style): string {
  const conversation = answer.provenance.conversations.find(({ id }) => id === citation.id);
  const { title, source, timestamp } = conversation ?? {};
  const said = citation.type === 'chunk' ? citation.timestamp : (citation.stated_at ?? timestamp);
  const heading = [title, source, said?.slice(0, 10)].filter((part) => part !== undefined).map(oneLine);
  const place = citation.type === 'chunk' ? `chunk ${citation.chunk_index}` : citation.fact_id;
  const quote = oneLine(citation.type === 'chunk' ? citation.text : citation.quote);
  return `[${number}] ${heading.join(' · ')}\n    ${quote}\n    ${style.faint(`${citation.id} ${place}`)}`;
}

/** Titles, sources and quotes are the client's words. */
function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ');
}
