import { readChatGpt } from './pages/chatgpt.js';
import { readClaude } from './pages/claude.js';
import { readGemini } from './pages/gemini.js';
import type { ConversationPage } from './pages/page.js';
import { type SiteName, siteOf } from './sites.js';

type PageReader = (document: Document, address: URL) => ConversationPage;

const readers: Record<SiteName, PageReader> = { chatgpt: readChatGpt, claude: readClaude, gemini: readGemini };

/** The conversation on this page; undefined on a page of no known site. */
export function readPage(document: Document, address = document.URL): ConversationPage | undefined {
  const site = siteOf(address);
  return site === undefined ? undefined : readers[site.name](document, new URL(address));
}
