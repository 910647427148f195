import type { Command } from '../command.js';
import { retrieve } from './retrieve.js';

/** The same as `retrieve`, where somebody who has just listed conversations looks for it. */
export const conversationsShow: Command<{ memoryStatus?: string; projectId?: string }> = {
  ...retrieve,
  name: 'conversations show',
  examples: ['threadkeep conversations show 3b241101-e2bb-4255-8caf-4136c566a962'],
};
