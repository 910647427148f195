import { type Capture, conversationOf, obstacleOf } from './conversation.js';
import type { ConversationPage } from './pages/page.js';
import { sendConversation } from './send.js';
import {
  type Result,
  readAutomatic,
  readSavedId,
  readService,
  writeAutomatic,
  writeLastResult,
  writeSavedId,
} from './settings.js';
import { permissionFor, type Site, siteOf, sites } from './sites.js';

/** Sends conversations, so that closing the popup does not cut a save short, and keeps the watchers of automatic saving. */

chrome.runtime.onMessage.addListener((message, sender, answer) => {
  const request = asRequest(message, sender.url);
  if (sender.id !== chrome.runtime.id || request === undefined) return false;
  const work = request.automatic ? saveAutomatically(request, sender.tab?.id) : save(request);
  // A fault of our own must not leave the popup waiting.
  work.then(answer, () => answer({ kind: 'failed', reason: 'refused' } satisfies Result));
  return true;
});

for (const event of [chrome.runtime.onInstalled, chrome.permissions.onAdded, chrome.permissions.onRemoved])
  event.addListener(() => void inTurn(keepWatchers));
chrome.storage.onChanged.addListener((changes) => {
  if ('automatic' in changes) void inTurn(keepWatchers);
});

/** A script in a page says which page by its own address, not by what it sends. */
function asRequest(message: unknown, senderAddress: string | undefined): Capture | undefined {
  if (typeof message !== 'object' || message === null || !('kind' in message) || message.kind !== 'save') return;
  if (!('page' in message) || !isPage(message.page)) return;
  const automatic = 'automatic' in message && message.automatic === true;
  const named = 'site' in message ? sites.find(({ name }) => name === message.site) : undefined;
  const site = automatic ? siteOf(senderAddress) : named;
  return site === undefined ? undefined : { site: site.name, page: message.page, automatic };
}

function isPage(value: unknown): value is ConversationPage {
  return typeof value === 'object' && value !== null && 'messages' in value && Array.isArray(value.messages);
}

/** One save at a time: a second one of the same thread waits, and then finds that nothing is new. */
let turn: Promise<unknown> = Promise.resolve();

function inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
  const result = turn.then(work, work);
  turn = result.catch(() => undefined);
  return result;
}

function save(capture: Capture): Promise<Result> {
  return inTurn(async () => {
    if (obstacleOf(capture.page) !== undefined) return { kind: 'failed', reason: 'refused' };
    const service = await readService();
    const thread = [service.address, capture.site, capture.page.threadId].join(' ');
    const before = await readSavedId(thread);
    const conversation = conversationOf(capture, chrome.runtime.getManifest().version);
    const outcome = await sendConversation(service, conversation);
    if (outcome.kind === 'failed') return outcome;
    await writeSavedId(thread, outcome.id);
    // The service does not append, so the longer conversation became a memory of its own.
    if (outcome.kind === 'saved' && before !== undefined && before !== outcome.id)
      return { kind: 'copied', messages: outcome.messages };
    return outcome;
  });
}

async function saveAutomatically(capture: Capture, tabId: number | undefined): Promise<'on' | 'off'> {
  if (!(await readAutomatic()).has(capture.site)) return 'off';
  const result = await save(capture);
  await writeLastResult(capture.site, result);
  // One copy per answer would fill the memory.
  if (result.kind === 'copied') await writeAutomatic(capture.site, false);
  const isFine = result.kind !== 'failed' && result.kind !== 'copied';
  await chrome.action.setBadgeBackgroundColor({ color: isFine ? '#2a6f5b' : '#a1331a' });
  if (tabId !== undefined) await chrome.action.setBadgeText({ text: isFine ? '✓' : '!', tabId });
  return result.kind === 'copied' ? 'off' : 'on';
}

/** Makes the registered scripts match what the user wants and the browser allows, also in pages that are open. */
async function keepWatchers(): Promise<void> {
  const wanted = await readAutomatic();
  const registered = new Set((await chrome.scripting.getRegisteredContentScripts()).map(({ id }) => id));
  for (const site of sites) {
    const allowed = await chrome.permissions.contains({ origins: [permissionFor(site)] });
    const on = wanted.has(site.name) && allowed;
    if (on && !registered.has(site.name)) await startWatching(site);
    if (!on && registered.has(site.name)) await chrome.scripting.unregisterContentScripts({ ids: [site.name] });
  }
}

async function startWatching(site: Site): Promise<void> {
  const files = ['watch-page.js'];
  const matches = [permissionFor(site)];
  await chrome.scripting.registerContentScripts([{ id: site.name, matches, js: files, runAt: 'document_idle' }]);
  for (const { id } of await chrome.tabs.query({ url: matches }))
    if (id !== undefined) await chrome.scripting.executeScript({ target: { tabId: id }, files });
}
