import { z } from 'zod';
import { anyText, flag, integer, listOf, oneOf, resourceAddress, text, webAddress } from './formats.js';
import { key, optionalKey, secret } from './keys.js';
import { origin } from './origin.js';

const identityProvider = z.strictObject({
  enabled: key(flag, true, 'Offer this provider; false shows it as not available.'),
  issuer: optionalKey(webAddress, 'none', 'The OpenID Connect issuer, such as https://accounts.google.com.'),
  client_id: optionalKey(text, 'none', 'The client id registered with the issuer.'),
  client_secret: secret(key(anyText, '', 'The client secret; empty for a public client.')),
  allowed_emails: key(
    listOf(text),
    [],
    'Who may sign in, by verified e-mail address; empty with the next one lets everyone in.',
  ),
  allowed_domains: key(listOf(text), [], 'Who may sign in, by the domain of the verified e-mail address.'),
});

export const providerName = /^[a-z][a-z0-9_-]*$/;

export const api = z
  .strictObject({
    host: key(text, '127.0.0.1', 'The address to listen on; anything but loopback needs `api.auth`.'),
    port: key(integer(0, 65_535), 8000, 'The port to listen on; 0 takes any free one.'),
    auth: key(
      oneOf('none', 'bearer_token', 'oauth_resource_server'),
      'none',
      'How callers prove who they are; `none` is for one person on one machine.',
    ),
    public_base_url: optionalKey(
      webAddress,
      'the address listened on',
      'The address under which clients reach the service, used in links and metadata.',
    ),
    cors_allow_origins: key(listOf(origin), [], 'Browser origins that may call the service.'),
    oauth: z
      .strictObject({
        authorization_servers: key(listOf(webAddress), [], 'Issuers outside this service whose tokens are accepted.'),
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
  .describe('The HTTP server and who may use it.');
