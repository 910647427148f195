import { z } from 'zod';
import {
  anyText,
  type Format,
  flag,
  integer,
  key,
  listOf,
  oneOf,
  optionalKey,
  resourceAddress,
  secret,
  text,
  webAddress,
} from './keys.js';

/**
 * An origin as a browser sends it in the Origin header. Only exact origins: a pattern would admit anyone who can
 * register a matching name.
 */
const origin: Format<string> = {
  schema: z.string().transform((value, context) => {
    const exact = exactOrigin(value.trim());
    if (exact !== undefined) return exact;
    context.issues.push({ code: 'custom', input: value, message: 'not an exact origin' });
    return z.NEVER;
  }),
  kind: 'text',
  allowed:
    'an exact origin such as http://127.0.0.1:5173 or chrome-extension://<id> (http, https or the scheme of an extension; no path, no *)',
};

function exactOrigin(value: string): string | undefined {
  if (value.includes('*')) return undefined;
  const extension = /^([a-z][a-z0-9+.-]*-extension):\/\/([a-z0-9._-]+)\/?$/i.exec(value);
  if (extension !== null) return extensionOrigin(extension[1] ?? '', extension[2] ?? '');
  if (!/^https?:\/\/[^/?#@\\\s]+\/?$/i.test(value) || !URL.canParse(value)) return undefined;
  return new URL(value).origin;
}

/**
 * Browsers send the scheme in lower case and the id as they generated it: lower case in Chrome and Firefox, not in
 * Safari.
 */
function extensionOrigin(scheme: string, id: string): string {
  const small = scheme.toLowerCase();
  return `${small}://${small === 'chrome-extension' || small === 'moz-extension' ? id.toLowerCase() : id}`;
}

const identityProvider = z.strictObject({
  enabled: key(flag, true, 'Offer this provider; false shows it as not available.'),
  issuer: optionalKey(webAddress, 'none', 'The OpenID Connect issuer, such as https://accounts.google.com.'),
  client_id: optionalKey(text, 'none', 'The client id registered with the issuer.'),
  client_secret: secret(key(anyText, '', 'The client secret; empty for a public client.')),
  allowed_emails: key(
    listOf(text),
    [],
    'Verified e-mail addresses that may sign in; if this and the next list are empty, everyone may.',
  ),
  allowed_domains: key(listOf(text), [], 'Domains of verified e-mail addresses that may sign in.'),
});

const providerName = /^[a-z][a-z0-9_-]*$/;

export const api = z
  .strictObject({
    host: key(text, '127.0.0.1', 'The address to listen on; anything but loopback needs `api.auth`.'),
    port: key(integer(0, 65_535), 8000, 'The port to listen on; 0 takes any free one.'),
    auth: key(
      oneOf('none', 'bearer_token', 'oauth_resource_server'),
      'none',
      'How callers authenticate; `none` is for one person on one machine.',
    ),
    public_base_url: optionalKey(
      webAddress,
      'the address it listens on',
      'The address at which clients reach the service, used in links and metadata.',
    ),
    cors_allow_origins: key(listOf(origin), [], 'Browser origins that may call the service.'),
    trust_forwarded_for: key(
      flag,
      false,
      'Use the last address in X-Forwarded-For as the caller: only behind your own proxy that sets it.',
    ),
    rate_limits: z
      .strictObject({
        enabled: key(
          oneOf('auto', 'on', 'off'),
          'auto',
          'Answer 429 to callers above the rate limit; `auto` does so unless `api.host` is loopback.',
        ),
        per_token: key(integer(1, 1_000_000), 1_200, 'Requests per minute with one token.'),
        per_address: key(integer(1, 1_000_000), 2_400, 'Requests per minute from one address, with any token or none.'),
      })
      .prefault({}),
    oauth: z
      .strictObject({
        authorization_servers: key(listOf(webAddress), [], 'External issuers whose tokens are accepted.'),
        resource: optionalKey(resourceAddress, 'the MCP endpoint', 'The resource identifier of this service.'),
        audience: optionalKey(text, 'the resource', 'The audience that a token must name.'),
        scopes_supported: key(
          listOf(text, 1),
          ['memory:read', 'memory:write'],
          'The scopes announced in the protected-resource metadata.',
        ),
      })
      .prefault({}),
    connect: z
      .strictObject({
        enabled: key(flag, true, 'Serve the sign-in page at /connect with `oauth_resource_server`.'),
        providers: z.record(z.string().regex(providerName), identityProvider).prefault({}),
      })
      .prefault({}),
  })
  .prefault({})
  .describe('The HTTP server and access to it.');
