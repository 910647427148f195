import { createAudit } from '../auth/audit.js';
import {
  bearerCallers,
  type Callers,
  createRights,
  createTokenUse,
  everyoneIsLocal,
  type Rights,
  readToken,
} from '../auth/callers.js';
import type { ConnectService, OAuthService } from '../auth/oauth/service.js';
import type { Administration } from '../auth/users.js';
import type { Config } from '../config/schema.js';
import { isLoopback } from '../http/admission.js';
import { MemoryError } from '../model/errors.js';
import type { Observer } from '../observability/observer.js';
import { outsideRequests } from '../observability/request-context.js';
import { openRecords, type Records } from '../records/open.js';
import { loadPackage } from '../stores/shared/load-package.js';
import { openMetadata } from './open-metadata.js';

export interface OpenedCallers {
  /** Authenticates requests to the adapters according to `api.auth`. */
  callers: Callers;
  /** Authenticates our own tokens regardless of `api.auth`, for commands that are given one. */
  tokens: Callers;
  rights: Rights;
  administration: Administration;
  /** Writes what is still buffered. */
  flush(): Promise<void>;
}

interface CallersParts {
  config: Config;
  records: Pick<Records, 'accounts' | 'audit'>;
  observer: Observer;
  now: () => string;
}

/** Retention of the audit log. */
const kept = 400 * 86_400_000;

export function openCallers({ config, records, observer, now }: CallersParts): OpenedCallers {
  const { accounts } = records;
  const audit = createAudit({ records: records.audit, observer, now, later: after(5_000) });
  const use = createTokenUse({ accounts, audit, observer, now, later: after(1_000) });
  const rights = createRights(accounts);
  const tokens = bearerCallers({ rights, use, audit, now });
  return {
    callers: config.api.auth === 'none' ? everyoneIsLocal : tokens,
    tokens,
    rights,
    administration: { accounts, audit, now },
    async flush() {
      await use.flush();
      await audit.flush();
    },
  };
}

/** Removes old security events when a server starts. */
export async function trimAudit({ audit }: Pick<Records, 'audit'>, now: string): Promise<void> {
  await audit.removeBefore(new Date(Date.parse(now) - kept).toISOString());
}

function after(milliseconds: number): (run: () => void) => () => void {
  return (run) => {
    const timer = setTimeout(() => outsideRequests(run), milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  };
}

/**
 * Opens only the metadata store, which is all that accounts need: no model, no vectors, no effect on a running server.
 */
export async function withAdministration<T>(
  { config, observer, changes }: { config: Config; observer: Observer; changes: boolean },
  run: (administration: Administration) => Promise<T>,
): Promise<T> {
  if (changes && config.storage.dryRun) {
    // A dry run would print a token that does not exist.
    throw new MemoryError('invalid_input', 'Accounts cannot be changed in a dry run: storage.dry_run is on');
  }
  const metadata = await openMetadata(config, observer);
  try {
    const now = (): string => new Date().toISOString();
    const opened = openCallers({ config, records: openRecords(metadata, now), observer, now });
    const result = await run(opened.administration);
    await opened.flush();
    return result;
  } finally {
    await metadata.close();
  }
}

interface OAuthParts {
  config: Config;
  records: Pick<Records, 'oauth' | 'accounts'>;
  access: OpenedCallers;
}

interface OpenedOAuth {
  callers: Callers;
  oauth: OAuthService;
}

/**
 * Sets up `api.auth: oauth_resource_server`: accepts our own tokens and those of the configured issuers, and serves the
 * pages that issue ours.
 */
export async function openOAuth({ config, records, access }: OAuthParts): Promise<OpenedOAuth> {
  const { oauth: settings, publicBaseUrl: base } = config.api;
  const jose = await loadPackage({ package: 'jose', range: '^6.2.0' }, () => import('jose'));
  const { createExternal, jwtPrefix, looksLikeJwt } = await import('../auth/oauth/external.js');
  const { administration, rights, tokens } = access;
  const resourceOf = (place: string): string => settings.resource ?? `${place}/mcp`;
  const own = `${config.api.host}:${config.api.port}`;
  // The origin check has verified that Host is a loopback name; taking the origin drops anything else in it.
  const baseOf = (host = own): string => base ?? new URL(`http://${host}`).origin;
  const external = createExternal({
    jose,
    issuers: settings.authorizationServers,
    audienceOf: () => settings.audience ?? resourceOf(baseOf()),
    rights,
    administration,
  });
  return {
    callers: {
      proofNeeded: true,
      identify(credentials) {
        const token = readToken(credentials);
        const isExternal = 'value' in token && looksLikeJwt(token.value);
        return isExternal ? external.identify(token.value) : tokens.identify(credentials);
      },
      version: tokens.version,
      async stillKnown(principal) {
        if (principal.tokenId?.startsWith(jwtPrefix) !== true) return tokens.stillKnown(principal);
        return (await rights.ofUser(principal.userId)) !== undefined;
      },
    },
    oauth: {
      baseOf,
      resourceOf,
      scopes: settings.scopesSupported,
      externalServers: settings.authorizationServers,
      ...(config.api.connect.enabled ? { connect: await openConnect({ config, records, access }) } : {}),
    },
  };
}

async function openConnect({ config, records, access }: OAuthParts): Promise<ConnectService> {
  const openId = await loadPackage({ package: 'openid-client', range: '^6.8.0' }, () => import('openid-client'));
  const { createClients, fetchClientDocument } = await import('../auth/oauth/clients.js');
  const { createGrants } = await import('../auth/oauth/grants.js');
  const { createSignIn, createWebSessions } = await import('../auth/sign-in.js');
  const { createHandles } = await import('../auth/tokens.js');
  const { administration } = access;
  const { now, audit } = administration;
  const { providers } = config.api.connect;
  const handles = createHandles({ records: records.oauth, now });
  const base = config.api.publicBaseUrl;
  const allowLoopback = base === undefined || isLoopback(new URL(base).hostname);
  return {
    handles,
    administration,
    clients: createClients({
      records: records.oauth,
      audit,
      now,
      fetchDocument: (url) => fetchClientDocument(url, { allowLoopback }),
    }),
    grants: createGrants({ handles, records: records.oauth, administration }),
    sessions: createWebSessions({ handles, administration }),
    signIn: createSignIn({ openId, providers, handles, administration }),
    providers: providerList(providers),
    snippetsFor: await snippets(),
  };
}

const usualProviders = ['google', 'microsoft', 'apple'];

/** The configured providers, then the well-known ones, marked as not in use. */
function providerList(providers: Config['api']['connect']['providers']): ConnectService['providers'] {
  const configured = Object.entries(providers).map(([name, { enabled }]) => ({ name, label: labelOf(name), enabled }));
  const others = usualProviders.filter((name) => providers[name] === undefined);
  return [...configured, ...others.map((name) => ({ name, label: labelOf(name), enabled: false }))];
}

function labelOf(name: string): string {
  return name.replace(
    /(^|[-_])([a-z])/g,
    (_, gap: string, letter: string) => (gap === '' ? '' : ' ') + letter.toUpperCase(),
  );
}

async function snippets(): Promise<ConnectService['snippetsFor']> {
  const { clients, snippetOf } = await import('../cli/connect/clients.js');
  const { commandLine } = await import('../cli/terminal.js');
  return (url) => {
    const server = { kind: 'http', url } as const;
    return Object.values(clients)
      .filter(({ stdioOnly }) => stdioOnly !== true)
      .map((client) => {
        const words = client.command?.('threadkeep', server);
        const entry = client.section === '' ? url : snippetOf(client, 'threadkeep', client.entry(server));
        return { title: client.title, code: words === undefined ? entry : commandLine(words), next: client.next };
      });
  };
}
