import { defaultAddress } from './address.js';
import type { Outcome, Service } from './send.js';
import { type SiteName, sites } from './sites.js';

/** What the companion keeps, all of it in chrome.storage.local: it never leaves this browser profile. */

export async function readService(): Promise<Service> {
  const { address, token } = await chrome.storage.local.get(['address', 'token']);
  return {
    address: typeof address === 'string' ? address : defaultAddress,
    token: typeof token === 'string' ? token : '',
  };
}

export function writeService({ address, token }: Service): Promise<void> {
  return chrome.storage.local.set({ address, token });
}

/** The sites where saving is automatic, as the user wants it; the browser's permission is another matter. */
export async function readAutomatic(): Promise<ReadonlySet<SiteName>> {
  const { automatic } = await chrome.storage.local.get(['automatic']);
  const wanted: unknown[] = Array.isArray(automatic) ? automatic : [];
  return new Set(sites.map(({ name }) => name).filter((name) => wanted.includes(name)));
}

export async function writeAutomatic(site: SiteName, on: boolean): Promise<void> {
  const wanted = new Set(await readAutomatic());
  if (on) wanted.add(site);
  else wanted.delete(site);
  await chrome.storage.local.set({ automatic: [...wanted] });
}

/** Which memory a conversation was saved as, newest last. Ids and nothing that was said. */
const remembered = 2_000;

export async function readSavedId(thread: string): Promise<string | undefined> {
  return (await savedThreads()).find(([name]) => name === thread)?.[1];
}

export async function writeSavedId(thread: string, id: string): Promise<void> {
  const others = (await savedThreads()).filter(([name]) => name !== thread);
  await chrome.storage.local.set({ saved: [...others, [thread, id]].slice(-remembered) });
}

async function savedThreads(): Promise<[string, string][]> {
  const { saved } = await chrome.storage.local.get(['saved']);
  if (!Array.isArray(saved)) return [];
  return saved.filter(
    (entry): entry is [string, string] => Array.isArray(entry) && entry.every((part) => typeof part === 'string'),
  );
}

/** What became of the last automatic save of a site, for the popup. */
export type Result = Outcome | { kind: 'copied'; messages: number };

export async function readLastResult(site: SiteName): Promise<Result | undefined> {
  const key = `last:${site}`;
  const value: unknown = (await chrome.storage.local.get([key]))[key];
  return isResult(value) ? value : undefined;
}

export function writeLastResult(site: SiteName, result: Result): Promise<void> {
  return chrome.storage.local.set({ [`last:${site}`]: result });
}

export function isResult(value: unknown): value is Result {
  return typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string';
}
