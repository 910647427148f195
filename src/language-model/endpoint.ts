import { StartupError } from '../model/errors.js';

/** The configuration section of the endpoint, for messages. */
export type EndpointKey = 'ask.model' | 'facts.model';

export interface ChatEndpoint {
  url: URL;
  headers: Record<string, string>;
  /** Host and port, safe to show in diagnostics. */
  host: string;
}

/**
 * The URL and headers of a request. Throws `StartupError` for an invalid address or key, because the errors that
 * `fetch` would raise later quote both.
 */
export function readChatEndpoint(
  key: EndpointKey,
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
): ChatEndpoint {
  const refuse = (message: string, hint: string): StartupError =>
    new StartupError('config_invalid', `${key}.${message}`, { hint });
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw refuse('base_url must be an http or https address.', 'An example is http://127.0.0.1:11434/v1.');
  }
  if (url.username !== '' || url.password !== '') {
    throw refuse('base_url must not contain a user name or password.', `Put the key into ${key}.api_key.`);
  }
  if (!/^[\x21-\x7e]*$/.test(apiKey)) {
    throw refuse(
      'api_key contains characters that are not allowed in a header.',
      'Check it for spaces, line breaks and quotation marks.',
    );
  }
  const { host } = url;
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/chat/completions`;
  return {
    url,
    host,
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json',
      ...(apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
    },
  };
}
