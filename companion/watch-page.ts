import { obstacleOf } from './conversation.js';
import { readPage } from './read-page.js';

/** Automatic saving: sends the conversation when the page has been still for a while and shows something new. */

/** Long enough for an answer to end and for the page to draw it. */
const stillness = 3_000;

/** The messages that were last looked at, as one text. */
let last: string | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

const observer = new MutationObserver(wait);

declare global {
  /** Set where the watcher runs already: turning automatic saving on injects it into pages that are open. */
  var threadkeepWatches: true | undefined;
}

if (globalThis.threadkeepWatches === undefined) {
  globalThis.threadkeepWatches = true;
  observer.observe(document.documentElement, { childList: true, subtree: true, characterData: true });
  wait();
}

function wait(): void {
  clearTimeout(timer);
  timer = setTimeout(() => void look(), stillness);
}

async function look(): Promise<void> {
  // The extension was reloaded or removed; this copy of the script can no longer reach it.
  if (chrome.runtime.id === undefined) return observer.disconnect();
  const page = readPage(document);
  if (page === undefined || obstacleOf(page) !== undefined) return;
  const said = JSON.stringify(page.messages);
  // Also where the address is another one: the page has not drawn that conversation yet.
  if (said === last) return;
  last = said;
  const state: unknown = await chrome.runtime.sendMessage({ kind: 'save', page, automatic: true });
  if (state === 'off') observer.disconnect();
}
