import type { Command } from '../command.js';
import { type FactOptions, factOptions, factPayload } from '../fact-options.js';
import { perform } from '../perform.js';
import { counted } from '../style.js';

export const profileGet: Command<FactOptions> = {
  name: 'profile-get',
  summary: 'Print what the memory knows about you',
  options: [{ flags: '--subject <name>', text: 'Whose profile (default: user, the speaker)' }, ...factOptions],
  examples: [
    'threadkeep profile-get',
    'threadkeep profile-get --predicate profile_role --include-superseded',
    'threadkeep profile-get --subject Atlas --source-quality direct_user_statement --json',
  ],
  async run(invocation) {
    const { value: profile } = await perform(invocation, 'profile_get', factPayload(invocation.options));
    const { factsText } = await import('../fact-text.js');
    return {
      json: profile,
      text(style) {
        const { active_fact_count: active, freshest_at } = profile.summary;
        const fresh = freshest_at === null ? '' : `, last confirmed ${freshest_at.slice(0, 10)}`;
        const heading = style.faint(`${counted(active, 'active fact')}${fresh}`);
        return `${heading}\n${factsText(profile.facts, profile.cursor, style)}`;
      },
    };
  },
};
