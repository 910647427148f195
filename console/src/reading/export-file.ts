import type { ConversationOutput } from '../../../src/operations/present.js';
import { languageNow, moment, t } from '../strings/text.js';

type Exported = Pick<ConversationOutput, 'id' | 'source' | 'title' | 'timestamp' | 'messages' | 'metadata'>;

export function markdownOf({ title, source, timestamp, messages = [] }: Exported): string {
  const turns = messages.map(({ role, text, timestamp: said }) => {
    const when = said === undefined ? '' : ` · ${moment(said)}`;
    return `## ${t(role === 'user' ? 'you' : 'assistant')}${when}\n\n${text}\n`;
  });
  return [`# ${title ?? t('untitled')}\n`, `${source} · ${moment(timestamp)}\n`, ...turns].join('\n');
}

/** One page that needs nothing beside it, as the service itself writes it. */
export async function htmlPageOf(conversations: readonly Exported[]): Promise<string> {
  const { htmlBegin, htmlEnd, htmlOf } = await import('../../../src/operations/export-html.js');
  const words = { lang: languageNow(), user: t('you'), assistant: t('assistant'), untitled: t('untitled') };
  const [only] = conversations;
  const title = conversations.length === 1 && only?.title !== undefined ? only.title : 'Threadkeep';
  return [htmlBegin(title, words), ...conversations.map((each) => htmlOf(each, words)), htmlEnd].join('');
}

/** In the shape that an import reads. */
export function jsonOf(conversations: readonly Exported[]): string {
  const shown = conversations.map(({ source, title, timestamp, messages, metadata }) => {
    return { source, ...(title === undefined ? {} : { title }), timestamp, messages, metadata };
  });
  return JSON.stringify(shown, null, 2);
}

export function fileName({ title, id }: Exported): string {
  const words = (title ?? '').match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length === 0 ? id : words.slice(0, 8).join('-').toLocaleLowerCase();
}

export function save(name: string, content: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type: 'text/plain' }));
  link.download = name;
  link.click();
  // The download has begun with the click, but some browsers read the content a moment later.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
