import type { Found, ImportedConversation } from '../../src/importers/contract.js';
import { importers } from '../../src/importers/table.js';

/** What an importer finds in one file of this content. */
export async function findIn(format: string, path: string, content: string | Uint8Array): Promise<Found[]> {
  const importer = importers.find(({ name }) => name === format);
  if (importer === undefined) throw new Error(`no importer ${format}`);
  const found: Found[] = [];
  for await (const each of importer.read({
    path,
    async *read() {
      yield Buffer.from(content);
    },
  }))
    found.push(each);
  return found;
}

/** The conversations alone, each as `role: text`. */
export async function turnsIn(format: string, path: string, content: string): Promise<string[][]> {
  return conversationsOf(await findIn(format, path, content)).map(({ messages }) =>
    messages.map(({ role, text }) => `${role}: ${text}`),
  );
}

export function conversationsOf(found: readonly Found[]): ImportedConversation[] {
  return found.flatMap((each) => (each.kind === 'conversation' ? [each.conversation] : []));
}

export function lines(...records: unknown[]): string {
  return `${records.map((record) => JSON.stringify(record)).join('\n')}\n`;
}
