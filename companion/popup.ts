import { bindSwitch } from './automatic.js';
import { obstacleOf } from './conversation.js';
import type { ConversationPage } from './pages/page.js';
import { isResult, type Result, readLastResult } from './settings.js';
import { type Site, siteOf } from './sites.js';
import { counted, fillWords, part, sentenceFor, word } from './words.js';

const title = part('title', HTMLHeadingElement);
const found = part('found', HTMLParagraphElement);
const note = part('note', HTMLParagraphElement);
const save = part('save', HTMLButtonElement);
const result = part('result', HTMLParagraphElement);

fillWords(document);
part('settings', HTMLButtonElement).addEventListener('click', () => void chrome.runtime.openOptionsPage());
void open();

async function open(): Promise<void> {
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  const site = siteOf(tab?.url);
  if (tab?.id === undefined || site === undefined) {
    title.textContent = word('name');
    note.textContent = word('noSite');
    return;
  }
  await offerAutomatic(site);
  const page = await read(tab.id);
  if (page === undefined) {
    title.textContent = site.label;
    note.textContent = word('cannotRead');
    return;
  }
  show(site, page);
}

/** Clicking the toolbar button gives access to this one page, until the user leaves it. */
async function read(tabId: number): Promise<ConversationPage | undefined> {
  try {
    await chrome.scripting.executeScript({ target: { tabId }, files: ['inject-reader.js'] });
    const func = () => globalThis.threadkeepReadPage?.();
    const [answer] = await chrome.scripting.executeScript({ target: { tabId }, func });
    return isPage(answer?.result) ? answer.result : undefined;
  } catch {
    // The browser does not let extensions into this page, or it is gone; the popup says that it cannot be read.
    return undefined;
  }
}

function isPage(value: unknown): value is ConversationPage {
  return typeof value === 'object' && value !== null && 'messages' in value;
}

function show(site: Site, page: ConversationPage): void {
  title.textContent = page.title ?? word('untitled');
  found.textContent = `${site.label} · ${counted('found', page.messages.length)}`;
  const obstacle = obstacleOf(page);
  const notes = [
    ...(page.unreadable > 0 ? [counted('unreadable', page.unreadable)] : []),
    ...(obstacle === undefined ? [] : [word(obstacle)]),
  ];
  note.textContent = notes.join(' ');
  save.hidden = obstacle !== undefined;
  save.addEventListener('click', async () => {
    save.disabled = true;
    result.className = '';
    result.textContent = word('saving');
    tell(await chrome.runtime.sendMessage({ kind: 'save', site: site.name, page }));
    save.disabled = false;
  });
}

function tell(answer: unknown): void {
  const outcome: Result = isResult(answer) ? answer : { kind: 'failed', reason: 'refused' };
  result.className = outcome.kind === 'failed' || outcome.kind === 'copied' ? 'bad' : 'good';
  result.textContent = sentenceFor(outcome);
}

async function offerAutomatic(site: Site): Promise<void> {
  part('automatic', HTMLLabelElement).hidden = false;
  part('switch-name', HTMLSpanElement).textContent = word('automatic', site.label);
  await bindSwitch(part('switch', HTMLInputElement), site, (text) => {
    result.className = 'bad';
    result.textContent = text;
  });
  const last = await readLastResult(site.name);
  if (last === undefined) return;
  part('last', HTMLParagraphElement).textContent = `${word('lastAutomatic')} ${sentenceFor(last)}`;
}
