import type { Question, Suite, SuiteConversation } from './suite.mjs';

export type AskSet = 'answerable' | 'elsewhere' | 'renamed' | 'left out';

export interface Round {
  conversations: SuiteConversation[];
  asked: { set: AskSet; question: Question }[];
}

export function roundsOf(suite: Suite): Round[];
