import type { AskInput, AskOutput, Citation } from '../../operations/ask/shapes.js';
import type { Command } from '../command.js';
import { type FilterOptions, filterFields, filterOptions, resultModes, statusOption } from '../filters.js';
import { perform } from '../perform.js';
import { printable, type Style } from '../terminal.js';

export interface AskOptions extends FilterOptions {
  topK?: number;
  maxContextTokens?: number;
  resultMode?: AskInput['result_mode'];
  memoryStatus?: AskInput['memory_status'];
  projectId?: string;
  asOf?: string;
  referenceDate?: string;
  rerank?: boolean;
  explain?: boolean;
  includeFacts?: boolean;
}

export const ask: Command<AskOptions> = {
  name: 'ask',
  arguments: [{ name: '<question...>', text: 'A question in plain words' }],
  summary: 'Answer a question from memory, with its sources',
  options: [
    { flags: '--top-k <n>', text: 'Number of hits that an answer is based on, 1 to 100 (default: 5)', kind: 'count' },
    { flags: '--max-context-tokens <n>', text: 'How many tokens of memory the answer may use', kind: 'count' },
    ...filterOptions,
    { flags: '--result-mode <mode>', text: 'What one result is, with --json (default: chunks)', choices: resultModes },
    statusOption('active'),
    { flags: '--project-id <id>', text: 'The project to ask (default: your own)' },
    { flags: '--as-of <date>', text: 'Answer as at this date or time (UTC): nothing said later is read' },
    {
      flags: '--reference-date <date>',
      text: 'The date that "last week" in the question is relative to (default: today)',
    },
    { flags: '--no-rerank', text: 'Skip re-ranking and read the first hits of the search, which is faster' },
    { flags: '--include-facts', text: 'Add the current facts stated in the messages shown (with --json)' },
    { flags: '--explain', text: 'Add how the confidence was computed (with --json)' },
  ],
  examples: [
    'threadkeep ask "Which restaurant did Nora book?"',
    'threadkeep ask "When did I last see the dentist?" --date-from 2026-01-01',
    'threadkeep ask "Where do I live?" --json | jq -r .answer',
    'threadkeep ask "Where do I live?" --as-of 2025-06-30',
  ],
  async run(invocation) {
    const question = invocation.args.join(' ');
    const { value: answer } = await perform(invocation, 'ask', payloadOf(question, invocation.options));
    return { json: answer, text: (style) => askText(answer, style) };
  },
};

/** Maps the options to the fields of the interface; options that were not given are left out. */
function payloadOf(question: string, options: AskOptions): object {
  const payload: Record<keyof Omit<AskInput, 'include_messages'>, unknown> = {
    question,
    top_k: options.topK,
    max_context_tokens: options.maxContextTokens,
    ...filterFields(options),
    result_mode: options.resultMode,
    memory_status: options.memoryStatus,
    project_id: options.projectId,
    as_of: options.asOf,
    reference_date: options.referenceDate,
    rerank: options.rerank,
    explain: options.explain,
    include_facts: options.includeFacts,
  };
  return Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined));
}

/** The answer, its confidence and the reason, then one line per source. */
function askText(answer: AskOutput, style: Style): string {
  const parts = [style.strong(printable(answer.answer)), confidenceLine(answer, style)];
  if (answer.citations.length > 0) {
    parts.push(answer.citations.map((citation, at) => sourceLine(citation, at + 1, answer, style)).join('\n'));
  }
  if (answer.tokenizer_used !== undefined) {
    const { context_tokens_used: tokens, chunks_selected: kept, chunks_dropped: dropped } = answer;
    parts.push(style.faint(`${tokens} tokens (${answer.tokenizer_used}), ${kept} chunks used, ${dropped} dropped`));
  }
  if (answer.diagnostics !== undefined) {
    parts.push(style.faint('The embedding model did not answer: these are keyword matches only.'));
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

/** Titles, sources and quotes are untrusted client input. */
function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ');
}
