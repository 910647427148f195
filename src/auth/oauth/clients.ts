import { randomBytes } from 'node:crypto';
import { lookup as resolve } from 'node:dns';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { z } from 'zod';
import type { ClientRow } from '../../records/account-rows.js';
import type { OAuthRecords } from '../../records/accounts.js';
import type { Audit } from '../audit.js';
import { checkedRedirectUri, OAuthError } from './authorization.js';

export type Clients = ReturnType<typeof createClients>;

interface ClientParts {
  records: OAuthRecords;
  audit: Audit;
  now: () => string;
  /** Fetches the metadata document of a client whose id is a URL. */
  fetchDocument: (url: string) => Promise<unknown>;
}

const uris = z.array(z.string()).min(1).max(20);

/** RFC 7591 for public clients; other metadata is ignored. */
const registration = z.looseObject({
  redirect_uris: uris,
  client_name: z.string().max(200).optional(),
  token_endpoint_auth_method: z.string().optional(),
});

const document = z.looseObject({
  client_id: z.string(),
  redirect_uris: uris,
  client_name: z.string().max(200).optional(),
});

/**
 * Anyone may register, so at this limit clients that no user approved are removed; if there are none, new ones are
 * rejected.
 */
const mostClients = 1_000;

export function createClients({ records, audit, now, fetchDocument }: ClientParts) {
  async function makeRoom(): Promise<void> {
    if ((await records.countClients()) < mostClients) return;
    const unused = await records.untrustedClients(100);
    if (unused.length === 0) throw new OAuthError('temporarily_unavailable', 'Too many clients are registered');
    await records.removeClients(unused);
  }

  async function fromDocument(id: string): Promise<ClientRow | undefined> {
    const found = document.safeParse(await fetchDocument(id));
    if (!found.success || found.data.client_id !== id) return undefined;
    const { client_name, redirect_uris } = found.data;
    const known = await records.client(id);
    const row: ClientRow = {
      id,
      name: nameOf(client_name) ?? new URL(id).host,
      redirect_uris: redirect_uris.map(checkedRedirectUri),
      kind: 'document',
      created_at: now(),
      ...(known?.trusted_at === undefined ? {} : { trusted_at: known.trusted_at }),
    };
    if (known === undefined) await makeRoom();
    await records.putClient(row);
    return row;
  }

  return {
    async register(payload: unknown): Promise<ClientRow> {
      const given = registration.safeParse(payload);
      if (!given.success) throw new OAuthError('invalid_client_metadata', 'redirect_uris must be a list of addresses');
      const { redirect_uris, client_name, token_endpoint_auth_method: method = 'none' } = given.data;
      if (method !== 'none') {
        throw new OAuthError('invalid_client_metadata', 'token_endpoint_auth_method must be none: clients are public');
      }
      const checked = redirect_uris.map(checkedRedirectUri);
      await makeRoom();
      const id = `client_${randomBytes(16).toString('hex')}`;
      const name = nameOf(client_name) ?? 'An application';
      const row: ClientRow = { id, name, redirect_uris: checked, kind: 'registered', created_at: now() };
      await records.putClient(row);
      audit.count({ event: 'client_registered', clientId: id });
      return row;
    },

    /** Finds a client by id, which may be the URL of its metadata document; undefined when unknown. */
    async find(id: string): Promise<ClientRow | undefined> {
      return /^https?:\/\//.test(id) ? fromDocument(id) : records.client(id);
    },

    async trust(client: ClientRow): Promise<void> {
      if (client.trusted_at === undefined) await records.putClient({ ...client, trusted_at: now() });
    },
  };
}

/** The client name is shown to users: one line without control characters. */
function nameOf(text: string | undefined): string | undefined {
  const name = text?.replace(/[\p{Cc}\p{Cf}]/gu, '').trim();
  return name === '' ? undefined : name;
}

const longestBytes = 20_000;
const patience = 5_000;

/**
 * Fetches the document that a client id points to. The URL is untrusted, so nothing inside our own network is
 * contacted: the name is resolved once and only a public address is connected to. Redirects are not followed.
 */
export function fetchClientDocument(url: string, { allowLoopback }: { allowLoopback: boolean }): Promise<unknown> {
  const refuse = (): OAuthError => new OAuthError('invalid_client', 'The document at client_id cannot be read');
  const { protocol, hostname, pathname, hash, username } = new URL(url);
  const local = allowLoopback && ['127.0.0.1', 'localhost'].includes(hostname);
  if ((protocol !== 'https:' && !local) || pathname === '/' || hash !== '' || username !== '') {
    return Promise.reject(refuse());
  }
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 && !local) return Promise.reject(refuse());
  return new Promise((done, failed) => {
    const send = protocol === 'https:' ? httpsRequest : httpRequest;
    const options = {
      headers: { accept: 'application/json' },
      timeout: patience,
      ...(local ? {} : { lookup: publicOnly }),
    };
    // Destroyed without an error: an idle connection would emit it without a listener and crash the process.
    const stop = (): void => {
      failed(refuse());
      request.destroy();
    };
    const request = send(url, options, (response) => {
      if (response.statusCode !== 200) {
        response.resume();
        failed(refuse());
        return;
      }
      let text = '';
      response.on('error', stop);
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        if (text.length > longestBytes) stop();
      });
      response.on('end', () => {
        try {
          done(JSON.parse(text));
        } catch {
          failed(refuse());
        }
      });
    });
    const deadline = setTimeout(stop, patience);
    request.on('timeout', stop);
    request.on('error', stop);
    request.on('close', () => clearTimeout(deadline));
    request.end();
  });
}

const inside = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  inside.addSubnet(network, prefix, 'ipv4');
}

/**
 * IPv6 is accepted only from the global unicast range; addresses that embed an IPv4 address are outside it or rejected.
 */
export function isPublic(address: string, family: number): boolean {
  if (family === 4) return !inside.check(address, 'ipv4');
  return /^[23][0-9a-f]{3}:/i.test(address) && !/^(?:2002|2001:0?0?0?0?):/i.test(address);
}

const publicOnly: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    const allowed = (addresses ?? []).filter(({ address, family }) => isPublic(address, family));
    const [first] = allowed;
    if (error !== null || first === undefined) callback(error ?? new Error('no public address'), '', 4);
    else if (options.all === true) callback(null, allowed);
    else callback(null, first.address, first.family);
  });
};
