export interface SentMessage {
  role: string;
  text: string;
  timestamp?: string;
}

export interface SentConversation {
  id?: string;
  source?: string;
  title?: string;
  timestamp?: string;
  messages: SentMessage[];
  metadata?: Record<string, unknown>;
  tags?: string[];
  project_id?: string;
}

/** What a client sends; a test names the parts its assertion depends on. */
export function aConversation(parts: Partial<SentConversation> = {}): SentConversation {
  return { source: 'chatgpt', messages: turns('Where is the bicycle?', 'It is in the shed.'), ...parts };
}

/** A conversation of one turn by the user. */
export function aNote(text: string, parts: Partial<SentConversation> = {}): SentConversation {
  return aConversation({ messages: turns(text), ...parts });
}

/** Texts as turns that alternate, the user first. */
export function turns(...texts: string[]): SentMessage[] {
  return texts.map((text, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', text }));
}

const syllables = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu'.split(' ');

/** Sentences of invented words, the same ones for the same seed. */
export function invented(seed: number, words = 8): string {
  let state = (seed * 2_654_435_761 + 12_345) >>> 0;
  const draw = (): string => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return syllables[(state >>> 16) % syllables.length] ?? '';
  };
  return Array.from({ length: words }, () => draw() + draw() + draw()).join(' ');
}
