import { randomUUID } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { cors } from 'hono/cors';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { isOurFault, MemoryError } from '../model/errors.js';
import { withRequest } from '../observability/request-context.js';
import { addRoutes } from './add-routes.js';
import {
  authorise,
  checkOrigin,
  companionOrigin,
  countAddresses,
  isCompanionSaving,
  refuseUnaskedPost,
  type Variables,
} from './admission.js';
import { createRateLimit, type DoorParts } from './door.js';
import { errorAnswer } from './errors.js';
import { resourceMetadata } from './oauth.js';
import { mcpRoute } from './routes.js';
import { failureHeaders, failurePage } from './static-pages.js';

/** The HTTP adapter: request id, origin check, CORS, then the route table. All errors have the same format. */
export function createHttpApp(parts: DoorParts): Hono<Variables> {
  const { settings } = parts;
  const allowedOrigins = new Set(settings.corsOrigins);
  const withCompanion = new Set([...allowedOrigins, companionOrigin]);
  // Non-strict: a trailing slash is the same route.
  const app = new Hono<Variables>({ strict: false });
  app.use(async (context, next) => {
    const requestId = requestIdOf(context.req.header(settings.requestIdHeader));
    context.set('requestId', requestId);
    const traceparent = context.req.header('traceparent');
    await withRequest({ requestId, traceparent, endsWith: 'memory_api_request_duration_ms' }, async () => {
      const started = performance.now();
      await next();
      context.header(settings.requestIdHeader, requestId);
      for (const [name, value] of Object.entries(safetyHeaders)) context.header(name, value);
      observe(parts, context, performance.now() - started);
    });
  });
  app.use(async (context, next) => {
    if (settings.loopback) {
      const { method, path, raw } = context.req;
      const saving = isCompanionSaving({ method, path, headers: raw.headers });
      checkOrigin(raw.headers, saving ? withCompanion : allowedOrigins, settings.publicOrigin);
      refuseUnaskedPost(raw, allowedOrigins, settings.publicOrigin);
    }
    await next();
  });
  app.use(corsFor(parts));
  app.use(countAddresses(parts));
  const { perToken } = settings.rateLimits ?? {};
  const limited = perToken === undefined ? parts : { ...parts, tokenLimit: createRateLimit(perToken, Date.now) };
  addRoutes(app, limited);
  const fail = (error: Error, context: Context<Variables>): Response => {
    context.set('failure', error);
    const challenge = { scope: scopeToAskFor(parts, context), resourceMetadata: resourceMetadata(parts, context) };
    const { status, body, headers } = errorAnswer(error, context.get('requestId'), challenge);
    if (isRead(context)) {
      const page = failurePage({ status, message: body.error_message, requestId: body.request_id });
      return context.html(page, status as ContentfulStatusCode, {
        ...headers,
        ...failureHeaders,
        vary: 'Origin, Accept',
      });
    }
    return context.json(body, status as ContentfulStatusCode, headers);
  };
  app.notFound(async (context) => {
    try {
      // Callers without access must not learn which paths exist; the discovery documents are the exception.
      if (!context.req.path.startsWith('/.well-known/')) await authorise(parts, context, 'any');
    } catch (error) {
      return fail(error as Error, context);
    }
    const message = `Nothing found at this address (${context.req.method}); see /docs`;
    return fail(new MemoryError('not_found', message), context);
  });
  app.onError(fail);
  return app;
}

/** Whether a person opened the address in a browser: only a page view asks for HTML. */
function isRead({ req }: Context<Variables>): boolean {
  const accepted = req.header('accept') ?? '';
  return req.method === 'GET' && /\btext\/html\b/i.test(accepted.slice(0, 1_000));
}

/** Sent with every answer: no content sniffing, no framing, no loading by pages of other origins. */
const safetyHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
};

/**
 * The scopes a client should request. An OAuth client requests its token once, so at the MCP endpoint it is told every
 * scope that a tool may need; the user decides which of them to grant.
 */
function scopeToAskFor({ oauth }: DoorParts, context: Context<Variables>): string | undefined {
  const access = context.get('access');
  if (oauth !== undefined && context.get('route') === mcpRoute.path) return oauth.scopes.join(' ');
  if (access === 'either') return 'memory:read';
  return typeof access === 'string' ? undefined : access?.[0].join(' ');
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
      'Idempotency-Key',
      settings.requestIdHeader,
    ],
    exposeHeaders: ['WWW-Authenticate', settings.requestIdHeader, 'Mcp-Session-Id', 'Idempotency-Replayed'],
    maxAge: 600,
  });
}

/** Keeps an incoming id of 1 to 128 printable characters, so that a caller can find its request in our log. */
function requestIdOf(incoming: string | undefined): string {
  const id = incoming?.trim() ?? '';
  return /^[\x20-\x7e]{1,128}$/.test(id) ? id : randomUUID();
}

function observe(parts: DoorParts, context: Context<Variables>, milliseconds: number): void {
  const { observer, settings } = parts;
  const route = context.get('route') ?? 'other';
  const status = context.res.status;
  const labels = { route, status_code: String(status) };
  observer.count('memory_api_requests_total', labels);
  observer.duration('memory_api_request_duration_ms', milliseconds, labels);
  const failure = context.get('failure');
  const ours = failure !== undefined && isOurFault(failure);
  if (!settings.accessLogs && !ours) return;
  const fields = { method: context.req.method, route, status, ms: Math.round(milliseconds * 10) / 10 };
  observer.log(ours ? 'error' : 'info', 'http_request', fields, ours ? failure : undefined);
}
