import type { Place, Question, SuiteConversation } from './suite.mjs';

export function wordsOf(text: string): string[];
export function bm25Control(
  conversations: readonly SuiteConversation[],
): (question: Pick<Question, 'text'> & Partial<Question>, topK: number) => Place[];
