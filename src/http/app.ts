import { randomUUID } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { cors } from 'hono/cors';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { localPrincipal } from '../auth/access.js';
import { MemoryError } from '../model/errors.js';
import { withRequestId } from '../observability/request-context.js';
import type { OpenOperation } from '../operations/operation.js';
import { readJson } from './body.js';
import { docsPage } from './docs-page.js';
import type { Caller, DoorParts } from './door.js';
import { errorAnswer } from './errors.js';
import { checkOrigin } from './guard.js';
import { openApi } from './openapi.js';
import { mcpRoute, memoryRoutes, statusRoutes } from './routes.js';

type Variables = { Variables: { requestId: string; failure?: unknown } };

/** The HTTP door: request id, guard, CORS, then the routes of the table. Every failure has the same shape. */
export function createHttpApp(parts: DoorParts): Hono<Variables> {
  const { settings } = parts;
  // Non-strict: a trailing slash is the same route.
  const app = new Hono<Variables>({ strict: false });
  app.use(async (context, next) => {
    const requestId = requestIdOf(context.req.header(settings.requestIdHeader));
    context.set('requestId', requestId);
    const started = performance.now();
    await withRequestId(requestId, next);
    context.header(settings.requestIdHeader, requestId);
    observe(parts, context, performance.now() - started);
  });
  app.use(async (context, next) => {
    if (settings.loopback) checkOrigin(context.req.raw.headers, new Set(settings.corsOrigins));
    await next();
  });
  app.use(corsFor(parts));
  addRoutes(app, parts);
  const fail = (error: Error, context: Context<Variables>): Response => {
    context.set('failure', error);
    const { status, body, headers } = errorAnswer(error, context.get('requestId'));
    return context.json(body, status as ContentfulStatusCode, headers);
  };
  app.notFound((context) =>
    fail(new MemoryError('not_found', `There is nothing at this address (${context.req.method}); see /docs`), context),
  );
  app.onError(fail);
  return app;
}

function addRoutes(app: Hono<Variables>, parts: DoorParts): void {
  const description = openApi(parts.version, parts.settings.api);
  const pages: Record<keyof typeof statusRoutes, (context: Context<Variables>) => Response | Promise<Response>> = {
    '/health': (context) => context.json(parts.health()),
    '/ready': async (context) => {
      const report = await parts.ready();
      return context.json(report, report.status === 'ok' ? 200 : 503);
    },
    '/observability': (context) => context.json(parts.observability()),
    '/openapi.json': (context) => context.json(description),
    '/docs': (context) => context.html(docsPage(description)),
  };
  for (const [path, page] of Object.entries(pages)) {
    app.get(path, page);
    refuseOtherMethods(app, path, 'GET');
  }
  app.get('/', (context) => context.redirect('/docs'));
  for (const { path, operation } of parts.settings.api ? memoryRoutes : []) {
    app.post(path, (context) => runOperation(parts, context, operation));
    refuseOtherMethods(app, path, 'POST');
  }
  const { mcp } = parts;
  if (mcp !== undefined) app.all(mcpRoute.path, (context) => mcp.fetch(context.req.raw, callerOf()));
}

/** Without authentication everyone who reaches the server is the local user. */
function callerOf(): Caller {
  return { principal: localPrincipal };
}

const longestPayloadLogged = 10_000;

async function runOperation(
  parts: DoorParts,
  context: Context<Variables>,
  operation: OpenOperation,
): Promise<Response> {
  const payload = await readJson(context.req.raw, parts.settings.maxBodyBytes);
  if (parts.settings.debugPayloads) {
    const shown = JSON.stringify(payload).slice(0, longestPayloadLogged);
    parts.observer.log('info', 'http_payload', { operation: operation.name, payload: shown });
  }
  const call = { principal: callerOf().principal, defaultSource: 'unknown' };
  return context.json(await operation.execute(parts.service, call, payload));
}

function refuseOtherMethods(app: Hono<Variables>, path: string, method: string): void {
  app.all(path, (context) => {
    context.header('allow', method);
    throw new MemoryError('method_not_allowed', `Use ${method} here`);
  });
}

function corsFor({ settings }: DoorParts) {
  return cors({
    origin: [...settings.corsOrigins],
    allowMethods: ['GET', 'POST', 'DELETE', 'OPTIONS'],
    allowHeaders: [
      'Authorization',
      'Content-Type',
      'Mcp-Session-Id',
      'Mcp-Protocol-Version',
      'Mcp-Method',
      'Mcp-Name',
      'Last-Event-ID',
      settings.requestIdHeader,
    ],
    exposeHeaders: ['WWW-Authenticate', settings.requestIdHeader, 'Mcp-Session-Id'],
    maxAge: 600,
  });
}

/** An incoming id of 1 to 128 printable characters is kept, so that a caller can find its request in our log. */
function requestIdOf(incoming: string | undefined): string {
  const id = incoming?.trim() ?? '';
  return /^[\x20-\x7e]{1,128}$/.test(id) ? id : randomUUID();
}

/** The template of the route, never the raw path, which anyone can make up. */
function routeOf(path: string): string {
  const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  const known = plain === mcpRoute.path || plain in statusRoutes || memoryRoutes.some((each) => each.path === plain);
  return known ? plain : 'other';
}

function observe(parts: DoorParts, context: Context<Variables>, milliseconds: number): void {
  const { observer, settings } = parts;
  const route = routeOf(context.req.path);
  const status = context.res.status;
  const labels = { route, status_code: String(status) };
  observer.count('memory_api_requests_total', labels);
  observer.duration('memory_api_request_duration_ms', milliseconds, labels);
  const failure = context.get('failure');
  const unforeseen = failure !== undefined && status >= 500;
  if (!settings.accessLogs && !unforeseen) return;
  const fields = { method: context.req.method, route, status, ms: Math.round(milliseconds * 10) / 10 };
  const requestId = context.get('requestId');
  withRequestId(requestId, () =>
    observer.log(unforeseen ? 'error' : 'info', 'http_request', fields, unforeseen ? failure : undefined),
  );
}
