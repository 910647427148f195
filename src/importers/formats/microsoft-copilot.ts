import type { Importer } from '../contract.js';
import { generic } from './generic.js';

/** Microsoft Copilot: the activity history of the privacy dashboard, a table with a message in each row. */
export const microsoftCopilot: Importer = {
  name: 'microsoft-copilot',
  label: 'Microsoft Copilot',
  howTo: 'account.microsoft.com > Privacy > Copilot > Export all activity history; give the CSV',
  accepts: (path) => /copilot[^/]*\.csv$/i.test(path),
  recognises: ({ text: head }) => /^"?Conversation"?,"?Time"?,"?Author"?,"?Message"?\s*$/im.test(head.slice(0, 200)),
  async *read(file) {
    for await (const found of generic.read(file, { source: 'microsoft-copilot' })) {
      if (found.kind !== 'conversation') {
        yield found;
        continue;
      }
      const { metadata, ...conversation } = found.conversation;
      const about = { ...metadata, importer: 'microsoft-copilot', platform: 'microsoft-copilot' };
      const title = conversation.title ?? metadata.upstream_thread_id;
      yield { ...found, conversation: { ...conversation, ...(title === undefined ? {} : { title }), metadata: about } };
    }
  },
};
