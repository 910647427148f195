// A server for the conformance suite: the suite's own tools, resources and prompts behind our MCP layer, that is our
// protocol face, sessions, endpoint and HTTP door. `node server.mjs` prints its address and serves until it is killed.
import { z } from 'zod';
import { localPrincipal } from '../../../dist/auth/access.js';
import { everyoneIsLocal } from '../../../dist/auth/callers.js';
import { createHttpApp } from '../../../dist/http/app.js';
import { listen } from '../../../dist/http/listen.js';
import { createEndpoint } from '../../../dist/mcp/endpoint.js';
import { createServer } from '../../../dist/mcp/server.js';
import { inputTools } from './input-tools.mjs';
import { prompts } from './prompts.mjs';
import { read, resources, templates } from './resources.mjs';
import { askingTools, contentTools, oddTools, streamingTools } from './tools.mjs';

const observer = { log() {}, count() {}, duration() {} };

const surface = {
  title: 'Conformance fixture',
  instructions: 'Only for the conformance suite.',
  tools: [...contentTools, ...streamingTools, ...askingTools, ...oddTools, ...inputTools],
  prompts,
  resources,
  templates,
  read,
  complete: async ({ value }) => ({
    values: ['paris', 'park', 'party'].filter((each) => each.startsWith(value)),
    more: false,
  }),
};

function fixtureServer() {
  const settings = { version: '0.0.0', listPageSize: 100, observer, principalOf: () => localPrincipal };
  const server = createServer(surface, settings);
  // Subscriptions are not part of the memory; the suite requires the methods all the same.
  server.registerCapabilities({ resources: { subscribe: true } });
  const params = z.looseObject({ uri: z.string() });
  for (const method of ['resources/subscribe', 'resources/unsubscribe']) {
    server.setRequestHandler(method, { params }, async () => ({}));
  }
  return server;
}

const mcp = createEndpoint({
  createServer: fixtureServer,
  settings: { maxSessions: 1_000, maxSessionsPerUser: 1_000, sessionIdleMs: 3_600_000, maxBodyBytes: 1_000_000 },
  observer,
  now: Date.now,
});
const app = createHttpApp({
  service: { settings: { limits: { max_top_k: 100 } } },
  callers: everyoneIsLocal,
  observer,
  version: '0.0.0',
  mcp,
  settings: {
    api: false,
    corsOrigins: [],
    requestIdHeader: 'x-request-id',
    accessLogs: false,
    maxBodyBytes: 1_000_000,
    maxImportBytes: 1_000_000,
    maxConcurrentRequests: 1_000,
    trustForwardedFor: false,
    debugPayloads: false,
    loopback: true,
  },
  health: () => ({}),
  ready: async () => ({ status: 'ok' }),
  observability: async () => ({}),
  config: () => ({}),
  clients: { writable: [], list: async () => ({}), connect: async () => ({}), disconnect: async () => ({}) },
  metrics: async () => '',
});
const limits = { maxHeaderBytes: 16_384, headersTimeout: 60_000, requestTimeout: 300_000, maxConnections: 1_000 };
const { url } = await listen(app, { host: '127.0.0.1', port: 0 }, limits);
process.stdout.write(`${url}\n`);
