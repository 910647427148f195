import type { ConversationOutput } from '../../../src/operations/present.js';

export type Message = NonNullable<ConversationOutput['messages']>[number];
