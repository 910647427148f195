import type { Hono } from 'hono';
import { missingScope, type Principal, pageAccess } from '../model/access.js';
import { invalidInput, MemoryError } from '../model/errors.js';
import { isObject } from '../model/json.js';
import { prometheusType } from '../observability/metrics.js';
import {
  type Admission,
  addressOf,
  atPace,
  authorise,
  createAdmission,
  type Route,
  type RouteContext,
  refuseCrossSite,
  type Variables,
} from './admission.js';
import { jsonAnswer, readJson } from './body.js';
import { connectRoutes, consentRoutes, signInRoutes } from './connect/connect.js';
import { type Caller, createRateLimit, type DoorParts } from './door.js';
import { eventAnswer, type Listening, wantsEvents } from './event-answer.js';
import { answerOnce } from './idempotency.js';
import { metadataRoutes, tokenRoutes } from './oauth.js';
import { openApi } from './openapi.js';
import { createRevokedStreams, type RevokedStreams } from './revoked-streams.js';
import { clientRoutes, mcpRoute, memoryRoutes, type OperationRoute, statusRoutes, transferRoutes } from './routes.js';
import { consoleAnswer, docsHeaders, docsPage } from './static-pages.js';
import { exportAnswer, importAnswer, importJobAnswer } from './transfer.js';

type App = Hono<Variables>;

export function addRoutes(app: App, parts: DoorParts): void {
  const admit = createAdmission(parts);
  const routes = routesOf(parts);
  for (const [at, route] of routes.entries()) {
    addRoute(app, { ...parts, admit }, route);
    const isLast = !routes.slice(at + 1).some(({ path }) => path === route.path);
    const methods = routes.filter(({ path }) => path === route.path).map(({ method }) => method);
    if (isLast && route.method !== 'ALL') refuseOtherMethods(app, parts, { ...route, methods });
  }
}

function routesOf(parts: DoorParts): Route[] {
  const streams = createRevokedStreams({ callers: parts.callers, now: Date.now });
  const calls = (parts.settings.api ? memoryRoutes : []).map((route): Route => {
    const { method = 'POST', path, operation } = route;
    return {
      method,
      path,
      access: operation.needs,
      handle: async (context, principal) => {
        const answer = await runOperation(parts, context, { principal, route });
        return route.streams === true && wantsEvents(context) ? streams.endOnRevocation(principal, answer) : answer;
      },
    };
  });
  return [
    ...statusPages(parts),
    ...consolePages(parts),
    ...clientCalls(parts),
    ...calls,
    ...transfers(parts, streams),
    ...mcp(parts, streams),
    ...pagesForPeople(parts),
  ];
}

/** Routes whose body or answer is a file. */
function transfers(parts: DoorParts, streams: RevokedStreams): Route[] {
  if (!parts.settings.api) return [];
  const { '/memory/export': given, '/memory/import': taken, '/memory/imports': queued } = transferRoutes;
  return [
    {
      method: given.method,
      path: '/memory/export',
      access: given.access,
      handle: async (context, principal) =>
        streams.endOnRevocation(principal, await exportAnswer(parts, context, principal), () => cut(context)),
    },
    {
      method: taken.method,
      path: '/memory/import',
      access: taken.access,
      handle: async (context, principal) =>
        streams.endOnRevocation(principal, await importAnswer(parts, context, principal), () => cut(context)),
    },
    {
      method: queued.method,
      path: '/memory/imports',
      access: queued.access,
      handle: (context, principal) => importJobAnswer(parts, context, principal),
    },
  ];
}

function cut(context: RouteContext): void {
  const { outgoing } = (context.env ?? {}) as { outgoing?: { destroy(): void } };
  outgoing?.destroy();
}

/** Registrations per minute from one address, if requests are rate-limited at all: each one stores a row. */
const registrationsPerMinute = 20;

function registrationLimit({ settings }: DoorParts): (context: RouteContext) => void {
  if (settings.rateLimits === undefined) return () => {};
  const limit = createRateLimit(registrationsPerMinute, Date.now);
  return (context) => limit.take(addressOf(context, settings.trustForwardedFor));
}

/**
 * People open this page by hand, even on a server without sign-in, where an authentication challenge would not help
 * them.
 */
const noConnectPage: Route = {
  method: 'GET',
  path: '/connect',
  access: 'public',
  handle() {
    const message =
      'This page needs api.auth: oauth_resource_server and api.connect.enabled, which this server does not use';
    throw new MemoryError('not_found', message);
  },
};

function pagesForPeople(door: DoorParts): Route[] {
  const { oauth } = door;
  if (oauth === undefined) return [noConnectPage];
  const { connect } = oauth;
  if (connect === undefined) return [...metadataRoutes(oauth), noConnectPage];
  const parts = { oauth, connect };
  return [
    ...metadataRoutes(oauth),
    ...tokenRoutes(oauth, connect, registrationLimit(door)),
    ...connectRoutes(parts),
    ...signInRoutes(parts),
    ...consentRoutes(parts),
  ];
}

/** The endpoint handles every method itself. */
function mcp({ mcp: endpoint }: DoorParts, streams: RevokedStreams): Route[] {
  if (endpoint === undefined) return [];
  const handle = async (context: RouteContext, principal: Principal): Promise<Response> => {
    const answer = await endpoint.fetch(context.req.raw, callerOf(principal));
    return answer.headers.get('content-type') === 'text/event-stream'
      ? streams.endOnRevocation(principal, answer)
      : answer;
  };
  return [{ method: 'ALL', path: mcpRoute.path, access: mcpRoute.access, handle }];
}

function callerOf(principal: Principal): Caller {
  const { tokenId } = principal;
  return { principal, ...(tokenId === undefined ? {} : { tokenId }) };
}

/** The console at `/`; if it was not built, the API description. */
function consolePages({ console: files = [] }: DoorParts): Route[] {
  if (files.length === 0) {
    return [{ method: 'GET', path: '/', access: 'public', handle: (context) => context.redirect('/docs') }];
  }
  return files.map((file) => {
    const path = file.path === '/index.html' ? '/' : file.path;
    return { method: 'GET', path, access: 'public', handle: () => consoleAnswer(file) };
  });
}

function statusPages(parts: DoorParts): Route[] {
  let described: ReturnType<typeof openApi> | undefined;
  // Made when it is first asked for: it takes tens of milliseconds, and most servers are never asked.
  const description = () => {
    described ??= openApi(parts.version, {
      memory: parts.settings.api,
      tokens: parts.callers.proofNeeded,
      mostResults: parts.service.settings.limits.maxTopK,
      lengths: parts.service.settings.limits,
      clients: parts.clients.writable,
    });
    return described;
  };
  type Page = (context: RouteContext, principal?: Principal) => Response | Promise<Response>;
  const pages: Record<keyof typeof statusRoutes, Page> = {
    '/health': async (context) => context.json(await parts.health()),
    '/ready': async (context) => {
      const report = await parts.ready();
      return context.json(report, report.status === 'ok' ? 200 : 503);
    },
    '/observability': async (context, principal) => {
      const counters = principal !== undefined && missingScope(principal.scopes, pageAccess['/metrics']) === undefined;
      return context.json(await parts.observability({ counters }));
    },
    '/config': (context) => context.json(parts.config()),
    '/metrics': async () => new Response(await parts.metrics(), { headers: { 'content-type': prometheusType } }),
    '/openapi.json': (context) => context.json(description()),
    '/docs': (context) => context.html(docsPage(description()), 200, docsHeaders),
    '/clients': async (context, principal) => context.json(await parts.clients.list(principal?.userId ?? '')),
  };
  return Object.entries(statusRoutes).map(([path, { access }]) => {
    return { method: 'GET', path, access, handle: pages[path as keyof typeof statusRoutes] };
  });
}

/** Routes that change the settings of other programs on this machine. */
function clientCalls({ clients, settings }: DoorParts): Route[] {
  const calls = {
    '/clients/{client}/connect': clients.connect,
    '/clients/{client}/disconnect': clients.disconnect,
  } satisfies Record<keyof typeof clientRoutes, unknown>;
  return Object.entries(clientRoutes).map(([path, { access }]) => ({
    method: 'POST',
    path,
    access,
    handle: async (context) => {
      // Requires JSON, like every other call, because a form on another site cannot send it.
      const body = await readJson(context.req.raw, settings.maxBodyBytes);
      if (!isObject(body) || Object.keys(body).length > 0) throw invalidInput('body', 'must be an empty object');
      return context.json(await calls[path as keyof typeof clientRoutes](context.req.param('client') ?? ''));
    },
  }));
}

/** Pages without user data, which other sites may link to. */
const openToLinks = new Set(['/docs', '/openapi.json']);

function addRoute(app: App, parts: DoorParts & { admit: Admission }, route: Route): void {
  app.on(route.method, placeOf(route.path), async (context: RouteContext) => {
    context.set('route', route.path);
    const leave = parts.admit(context, route.access);
    try {
      if (route.access !== 'public' && !openToLinks.has(route.path)) refuseCrossSite(context.req.raw.headers);
      const { publicBodyTimeoutMs } = parts.settings;
      if (route.access !== 'public') {
        const principal = await authorise(parts, context, route.access);
        if (parts.callers.proofNeeded) return await route.handle(context, principal);
        return await atPace(context, publicBodyTimeoutMs, () => route.handle(context, principal));
      }
      context.set('bodyTimeoutMs', publicBodyTimeoutMs);
      return await route.handle(context);
    } finally {
      leave();
    }
  });
}

/** Added after the last route of a path, because several routes may share it. */
function refuseOtherMethods(
  app: App,
  parts: DoorParts,
  { path, access, methods }: Pick<Route, 'path' | 'access'> & { methods: readonly string[] },
): void {
  app.all(placeOf(path), async (context) => {
    context.set('route', path);
    if (access !== 'public') await authorise(parts, context, 'any');
    context.header('allow', methods.join(', '));
    throw new MemoryError('method_not_allowed', `Use ${methods.join(' or ')} here`);
  });
}

function placeOf(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

const longestPayloadLogged = 10_000;

async function runOperation(
  parts: DoorParts,
  context: RouteContext,
  { principal, route }: { principal: Principal; route: OperationRoute },
): Promise<Response> {
  const { operation } = route;
  const payload = await payloadOf(parts, context, route);
  if (parts.settings.debugPayloads) {
    const shown = textOf(payload)?.slice(0, longestPayloadLogged) ?? '';
    parts.observer.log('info', 'http_payload', { operation: operation.name, payload: shown });
  }
  const call = { principal, defaultSource: 'unknown', signal: context.req.raw.signal };
  const run = (more: Partial<Listening> = {}): Promise<object> =>
    operation.execute(parts.service, { ...call, ...more }, payload);
  if (route.streams === true && wantsEvents(context)) return eventAnswer(context, run);
  if (operation.name !== 'insert') return jsonAnswer(context, await run());
  return context.json(await answerOnce(parts, context, { principal, request: () => textOf(payload, inOrder) }, run));
}

/** The input of a call: its body or query, and the path parameters. */
async function payloadOf(parts: DoorParts, context: RouteContext, { method, path }: OperationRoute) {
  const named = context.req.param();
  const query = context.req.query();
  // The operation rejects unknown parameters.
  if (method === 'GET') return { ...query, ...named };
  const [ignored] = Object.keys(query);
  // `POST /memory/insert?project_id=team` would save into another project than the caller believes.
  if (ignored !== undefined) {
    throw invalidInput(ignored.slice(0, longestName), 'belongs in the JSON body: this call reads no query parameters');
  }
  const isNamed = path.includes('{');
  // If the path contains all the input, the body may be empty.
  const body = isNamed && isEmpty(context.req.raw) ? {} : await readJson(context.req.raw, parts.settings.maxBodyBytes);
  if (!isNamed || !isObject(body)) return body;
  for (const name of Object.keys(named)) {
    if (name in body && body[name] !== named[name]) throw invalidInput(name, 'differs from the one in the address');
  }
  return { ...body, ...named };
}

const longestName = 200;

function isEmpty({ headers, body }: globalThis.Request): boolean {
  return body === null || headers.get('content-length') === '0';
}

/** Undefined for input that is nested too deeply to serialise; the operation rejects it with a reason. */
function textOf(payload: unknown, replacer?: (key: string, value: unknown) => unknown): string | undefined {
  try {
    return JSON.stringify(payload, replacer);
  } catch {
    // Only a stack overflow can happen here: parsed JSON has no cycles.
    return undefined;
  }
}

/** Sorts keys, so that the same request with another key order gives the same text. */
function inOrder(_key: string, value: unknown): unknown {
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;
}
