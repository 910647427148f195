import { memoryStatuses } from '../../model/conversation.js';
import type { AskInput } from '../../operations/ask/input.js';
import type { Command } from '../command.js';
import { withRuntime } from '../open.js';

export interface AskOptions {
  topK?: number;
  maxContextTokens?: number;
  source?: string;
  dateFrom?: string;
  dateTo?: string;
  tags?: string[];
  threadId?: string;
  resultMode?: AskInput['result_mode'];
  memoryStatus?: AskInput['memory_status'];
  projectId?: string;
  referenceDate?: string;
  explain?: boolean;
}

const resultModes = ['chunks', 'compact', 'conversations', 'threads'] satisfies AskInput['result_mode'][];

export const ask: Command<AskOptions> = {
  name: 'ask',
  arguments: [{ name: '<question...>', text: 'A question in plain words' }],
  summary: 'Answer a question from memory, with its sources',
  options: [
    { flags: '--top-k <n>', text: 'How many hits an answer is made from, 1 to 100 (default: 5)', kind: 'count' },
    { flags: '--max-context-tokens <n>', text: 'How many tokens of memory the answer may use', kind: 'count' },
    { flags: '--source <name>', text: 'Only from conversations of this source' },
    { flags: '--date-from <date>', text: 'Only from this date or time on (UTC)' },
    { flags: '--date-to <date>', text: 'Only up to this date or time, included (UTC)' },
    {
      flags: '--tags <tag>',
      text: 'Only from conversations with this tag; repeat it to ask for several',
      kind: 'list',
    },
    { flags: '--thread-id <id>', text: 'Only from conversations of this thread' },
    { flags: '--result-mode <mode>', text: 'What one result is, with --json (default: chunks)', choices: resultModes },
    {
      flags: '--memory-status <status>',
      text: 'Only from memories in this state (default: active)',
      choices: [...memoryStatuses, 'all'],
    },
    { flags: '--project-id <id>', text: 'The project to ask (default: your own)' },
    { flags: '--reference-date <date>', text: 'What "last week" in the question is counted from (default: today)' },
    { flags: '--explain', text: 'Add what the confidence is made of (with --json)' },
  ],
  examples: [
    'threadkeep ask "Which restaurant did Nora book?"',
    'threadkeep ask "When did I last see the dentist?" --date-from 2026-01-01',
    'threadkeep ask "Where do I live?" --json | jq -r .answer',
  ],
  async run(invocation) {
    const question = invocation.args.join(' ');
    const { operations } = await import('../../operations/table.js');
    const answer = await withRuntime(invocation, ({ runtime, call }) =>
      operations.ask.execute(runtime.service, call, payloadOf(question, invocation.options)),
    );
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
    source: options.source,
    date_from: options.dateFrom,
    date_to: options.dateTo,
    tags: options.tags,
    thread_id: options.threadId,
    result_mode: options.resultMode,
    memory_status: options.memoryStatus,
    project_id: options.projectId,
    reference_date: options.referenceDate,
    explain: options.explain,
  };
  return Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined));
}
