import type { Command } from '../command.js';
import { markedIfDry } from '../dry-run-mark.js';
import { perform } from '../perform.js';

export const factSupersede: Command<{ projectId?: string }> = {
  name: 'fact-supersede',
  arguments: [
    { name: '<old_fact_id>', text: 'The fact that no longer holds' },
    { name: '<new_fact_id>', text: 'The fact that took its place' },
  ],
  summary: 'Mark a fact as superseded by another one',
  options: [{ flags: '--project-id <id>', text: 'The project of both facts (default: your own)' }],
  examples: [
    'threadkeep fact-supersede fact_0f8c3b1e5d7a49c2b6e1d4a7f0c39b58 fact_7be2a91c4d0f4e63a58c1b90d2e7f416',
    'threadkeep fact-search --predicate owns_car --json | jq -r ".results[].id"',
  ],
  async run(invocation) {
    const [fact_id, superseded_by] = invocation.args;
    const { projectId } = invocation.options;
    const payload = { fact_id, superseded_by, ...(projectId === undefined ? {} : { project_id: projectId }) };
    const { factText } = await import('../fact-text.js');
    const { value: done, dryRun } = await perform(invocation, 'facts_supersede', payload);
    return markedIfDry(
      { json: done, text: (style) => (done.fact === undefined ? done.id : factText(done.fact, style)) },
      dryRun,
    );
  },
};
