import type { Command } from '../command.js';
import { type FactOptions, factOptions, factPayload } from '../fact-options.js';
import { perform } from '../perform.js';

export const factSearch: Command<FactOptions> = {
  name: 'fact-search',
  arguments: [{ name: '[query...]', text: 'Words to look for in subject, predicate and value (default: every fact)' }],
  summary: 'Find facts the memory holds',
  options: [{ flags: '--subject <name>', text: 'Only facts about this subject; user is the speaker' }, ...factOptions],
  examples: [
    'threadkeep fact-search',
    'threadkeep fact-search guitar --include-superseded',
    'threadkeep fact-search --subject user --source claude --status superseded',
    'threadkeep fact-search --predicate profile_location --json | jq -r ".results[0].object_normalized"',
  ],
  async run(invocation) {
    const { args, options } = invocation;
    const query = args.join(' ');
    const payload = factPayload(options, query === '' ? {} : { query });
    const { value: found } = await perform(invocation, 'facts_search', payload);
    const { factsText } = await import('../fact-text.js');
    return { json: found, text: (style) => factsText(found.results, found.cursor, style) };
  },
};
