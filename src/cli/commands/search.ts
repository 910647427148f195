import type { SearchInput } from '../../operations/search/shapes.js';
import type { Command } from '../command.js';
import { filterFields, filterOptions, resultModes, sorts, statusOption } from '../filters.js';
import { perform } from '../perform.js';
import type { SearchOptions } from '../search-text.js';

export const search: Command<SearchOptions> = {
  name: 'search',
  arguments: [{ name: '<query...>', text: 'What to look for, in plain words; docs/search.md lists the operators' }],
  summary: 'Search your conversations',
  options: [
    { flags: '--top-k <n>', text: 'How many results, 1 to 100 (default: 5)', kind: 'count' },
    { flags: '--limit <n>', text: 'Results per page (default: as --top-k)', kind: 'count' },
    { flags: '--cursor <cursor>', text: 'Continue after the page that ended with this cursor' },
    ...filterOptions,
    { flags: '--result-mode <mode>', text: 'What one result is (default: chunks)', choices: resultModes },
    { flags: '--sort <order>', text: 'The order of the results (default: relevance)', choices: sorts },
    {
      flags: '--match <kind>',
      text: 'strong leaves out weak matches (default: any)',
      choices: ['any', 'strong'],
    },
    { flags: '--rerank', text: 'Re-rank the best results by how well they answer (default: retrieval.rerank)' },
    { flags: '--no-rerank', text: 'Keep the order of the search' },
    statusOption('active'),
    { flags: '--project-id <id>', text: 'The project to search (default: your own)' },
    {
      flags: '--reference-date <date>',
      text: 'The date that "last week" in the query is relative to (default: today)',
    },
    { flags: '--include-facts', text: 'Add the current facts stated in the messages shown (with --json)' },
    { flags: '--explain', text: 'Add how each relevance was computed (with --json)' },
  ],
  examples: [
    'threadkeep search "blue bicycle"',
    'threadkeep search invoice --source chatgpt --date-from 2026-01-01 --top-k 10',
    'threadkeep search roadmap --tags work --tags q3 --result-mode conversations',
    `threadkeep search '"exact phrase" -draft source:claude after:2025-06-01 has:code'`,
    'threadkeep search invoice --json | jq -r ".results[].id"',
  ],
  async run(invocation) {
    const { options, shared } = invocation;
    const query = invocation.args.join(' ');
    const { value: found } = await perform(invocation, 'search', payloadOf(query, options));
    const { searchText } = await import('../search-text.js');
    return { json: found, text: (style) => searchText(found, { query, options, shared }, style) };
  },
};

/** Maps the options to the fields of the interface; options that were not given are left out. */
function payloadOf(query: string, options: SearchOptions): object {
  const payload: Record<keyof Omit<SearchInput, 'include_messages'>, unknown> = {
    query,
    top_k: options.topK,
    limit: options.limit,
    cursor: options.cursor,
    ...filterFields(options),
    result_mode: options.resultMode,
    memory_status: options.memoryStatus,
    project_id: options.projectId,
    reference_date: options.referenceDate,
    explain: options.explain,
    include_facts: options.includeFacts,
    sort: options.sort,
    match: options.match,
    rerank: options.rerank,
  };
  return Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined));
}
