import type { AskInput } from '../../operations/ask/input.js';
import type { Command } from '../command.js';
import { type FilterOptions, filterFields, filterOptions, resultModes, statusOption } from '../filter-options.js';
import { perform } from '../perform.js';

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
    { flags: '--top-k <n>', text: 'How many hits an answer is made from, 1 to 100 (default: 5)', kind: 'count' },
    { flags: '--max-context-tokens <n>', text: 'How many tokens of memory the answer may use', kind: 'count' },
    ...filterOptions,
    { flags: '--result-mode <mode>', text: 'What one result is, with --json (default: chunks)', choices: resultModes },
    statusOption('active'),
    { flags: '--project-id <id>', text: 'The project to ask (default: your own)' },
    { flags: '--as-of <date>', text: 'Answer as at this date or time (UTC): nothing said later is read' },
    { flags: '--reference-date <date>', text: 'What "last week" in the question is counted from (default: today)' },
    { flags: '--no-rerank', text: 'Read the first hits as the search found them, which is quicker' },
    { flags: '--include-facts', text: 'Add what the messages shown state and is still so (with --json)' },
    { flags: '--explain', text: 'Add what the confidence is made of (with --json)' },
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
    const { askText } = await import('../ask-text.js');
    return { json: answer, text: (style) => askText(answer, style) };
  },
};

/** The words of the interface for the words of the command line; what was not given is left out. */
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
