export type Place = [key: string, messageIndex: number];

export interface Question {
  id: string;
  kind: string;
  text: string;
  answer: string;
  date?: string;
  filter: Record<string, string>;
  evidence: Place[];
  keys: string[];
}

export interface SuiteConversation {
  key: string;
  conversation: { source?: string; messages: { role: string; text: string }[] };
}

export interface Suite {
  name: string;
  license: string;
  about: string;
  conversations: SuiteConversation[];
  questions: Question[];
}

export function suitesIn(folder: string, names?: readonly string[]): string[];
export function readSuite(file: string): Suite;
export function parseSuite(text: string): Suite;
