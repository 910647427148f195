export interface Page {
  status: number;
  url: string;
  headers: Headers;
  text: string;
}

export type Browser = ReturnType<typeof aBrowser>;

/**
 * As much of a browser as signing in needs: cookies by host, redirects, forms. It stops at an address that nobody serves,
 * as an application's callback is, and returns that address.
 */
export function aBrowser() {
  const jar = new Map<string, Map<string, string>>();

  function cookiesFor(url: URL): string {
    return [...(jar.get(url.hostname) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  function keep(url: URL, headers: Headers): void {
    const cookies = jar.get(url.hostname) ?? new Map<string, string>();
    jar.set(url.hostname, cookies);
    for (const line of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /max-age=0/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
  }

  async function visit(address: string, init: RequestInit = {}, stopAt = 'http://localhost:1/'): Promise<Page> {
    let [url, options] = [new URL(address), init];
    for (let hop = 0; hop < 12; hop++) {
      if (url.href.startsWith(stopAt)) return { status: 302, url: url.href, headers: new Headers(), text: '' };
      const headers = { ...(options.headers as Record<string, string> | undefined), cookie: cookiesFor(url) };
      const response = await fetch(url, { ...options, headers, redirect: 'manual' });
      keep(url, response.headers);
      const location = response.headers.get('location');
      if (location === null) {
        return { status: response.status, url: url.href, headers: response.headers, text: await response.text() };
      }
      await response.body?.cancel();
      [url, options] = [new URL(location, url), {}];
    }
    throw new Error('too many redirects');
  }

  return {
    visit,
    cookies: (host: string): Map<string, string> => jar.get(host) ?? new Map(),

    /** Fills in the form whose action is `action`, or else contains it, and sends it; hidden fields are kept. */
    submit(page: Page, action: string, fields: Record<string, string | string[]>): Promise<Page> {
      const forms = [...page.text.matchAll(/<form[^>]*action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)];
      const form =
        forms.find(([, target]) => target === action) ?? forms.find(([, target]) => target?.includes(action));
      if (form === undefined) throw new Error(`no form for ${action} on ${page.url}`);
      const body = new URLSearchParams();
      for (const [input] of (form[2] ?? '').matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
        body.append(attribute(input, 'name'), attribute(input, 'value'));
      }
      for (const [name, value] of Object.entries(fields)) for (const each of [value].flat()) body.append(name, each);
      const url = new URL(form[1]?.replaceAll('&amp;', '&') ?? '', page.url);
      const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(page.url).origin };
      return visit(url.href, { method: 'POST', headers, body: body.toString() });
    },
  };
}

function attribute(tag: string, name: string): string {
  return new RegExp(`${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
}
