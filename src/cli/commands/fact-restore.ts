import type { Command } from '../command.js';
import { markedIfDry } from '../dry-run-mark.js';
import { perform } from '../perform.js';

export const factRestore: Command<{ projectId?: string }> = {
  name: 'fact-restore',
  arguments: [{ name: '<fact_id>', text: 'The fact that was superseded by hand' }],
  summary: 'Take back that a fact was superseded by hand',
  options: [{ flags: '--project-id <id>', text: 'The project of the fact (default: your own)' }],
  examples: ['threadkeep fact-restore fact_0f8c3b1e5d7a49c2b6e1d4a7f0c39b58'],
  async run(invocation) {
    const [fact_id] = invocation.args;
    const { projectId } = invocation.options;
    const payload = { fact_id, ...(projectId === undefined ? {} : { project_id: projectId }) };
    const { factText } = await import('../fact-text.js');
    const { value: done, dryRun } = await perform(invocation, 'facts_restore', payload);
    return markedIfDry(
      { json: done, text: (style) => (done.fact === undefined ? done.id : factText(done.fact, style)) },
      dryRun,
    );
  },
};
