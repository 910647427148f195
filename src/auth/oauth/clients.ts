import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { ClientRow } from '../../records/account-rows.js';
import type { OAuthRecords } from '../../records/oauth.js';
import type { Audit } from '../audit.js';
import { OAuthError } from './error.js';
import { checkedRedirectUri } from './redirect-uri.js';

export type Clients = ReturnType<typeof createClients>;

interface ClientParts {
  records: OAuthRecords;
  audit: Audit;
  now: () => string;
  /** Reads the document at a client id that is an address. */
  fetchDocument: (url: string) => Promise<unknown>;
}

const uris = z.array(z.string()).min(1).max(20);

/** RFC 7591, as far as a public client goes; what else a client says about itself is left aside. */
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

/** Anyone may register, so at this limit clients that no user approved are removed; where there are none, new ones are refused. */
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

    /** By id, which may be the URL of its metadata document; undefined when unknown. */
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
