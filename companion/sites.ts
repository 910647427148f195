export type SiteName = 'chatgpt' | 'claude' | 'gemini';

export interface Site {
  /** Also the `source` of what is saved. */
  name: SiteName;
  label: string;
  host: string;
}

export const sites: readonly Site[] = [
  { name: 'chatgpt', label: 'ChatGPT', host: 'chatgpt.com' },
  { name: 'claude', label: 'Claude', host: 'claude.ai' },
  { name: 'gemini', label: 'Gemini', host: 'gemini.google.com' },
];

export function siteOf(address: string | undefined): Site | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' ? sites.find(({ host }) => host === hostname) : undefined;
}

/** The permission that automatic saving on a site needs. */
export function permissionFor({ host }: Site): string {
  return `https://${host}/*`;
}
