import { StartupError } from '../model/errors.js';

export interface Endpoint {
  /** Where the texts are sent. */
  url: URL;
  headers: Record<string, string>;
  /** The base address as diagnostics may show it. */
  publicAddress: string;
}

/**
 * The URL and headers of a request. Throws `StartupError` for an address or key that no request can carry: the
 * errors `fetch` would raise later quote both.
 */
export function readEndpoint({ baseUrl, apiKey }: { baseUrl: string; apiKey?: string | undefined }): Endpoint {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new StartupError('config_invalid', 'embedding_endpoint.base_url must be an http or https address.', {
      hint: 'An example is http://localhost:11434/v1.',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new StartupError('config_invalid', 'embedding_endpoint.base_url must not hold a user name or password.', {
      hint: 'Put the key into embedding_endpoint.api_key.',
    });
  }
  const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' };
  if (apiKey !== undefined && apiKey !== '') {
    if (!/^[\x21-\x7e]+$/.test(apiKey)) {
      throw new StartupError('config_invalid', 'embedding_endpoint.api_key holds characters a header cannot carry.', {
        hint: 'Check it for spaces, line ends and quotation marks copied along with it.',
      });
    }
    headers.authorization = `Bearer ${apiKey}`;
  }
  const publicAddress = withoutSecrets(url);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/embeddings`;
  return { url, headers, publicAddress };
}

/** Origin and path: credentials, query and fragment may hold keys. */
export function withoutSecrets(url: URL): string {
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
