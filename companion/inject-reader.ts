import type { ConversationPage } from './pages/page.js';
import { readPage } from './read-page.js';

declare global {
  /** A function of ours in the page's isolated world; the page itself does not see it. */
  var threadkeepReadPage: ((address?: string) => ConversationPage | undefined) | undefined;
}

globalThis.threadkeepReadPage = (address) => readPage(document, address);
