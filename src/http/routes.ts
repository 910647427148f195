import { type Needs, type PageAccess, pageAccess } from '../model/access.js';
import type { OpenOperation } from '../operations/operation.js';
import { operations } from '../operations/table.js';

/** The access rule, required for every route. */
export type Access = PageAccess;

export interface OperationRoute {
  /** Default POST, with the input as its body; a GET takes its input from the URL. */
  method?: 'GET';
  /** `{name}` is a path parameter. */
  path: string;
  /** Query parameters of a GET. */
  query?: readonly string[];
  operation: OpenOperation;
  /** Answers as server-sent events if the client accepts them. */
  streams?: true;
}

export const memoryRoutes: readonly OperationRoute[] = [
  { path: '/memory/insert', operation: operations.insert },
  { path: '/memory/validate', operation: operations.validate },
  { path: '/memory/search', operation: operations.search },
  { path: '/memory/retrieve', operation: operations.retrieve },
  { path: '/memory/context', operation: operations.context },
  { path: '/memory/conversations/list', operation: operations.conversations_list },
  { path: '/memory/conversations/update', operation: operations.conversations_update },
  { path: '/memory/activity', operation: operations.activity },
  { path: '/memory/timeline', operation: operations.timeline },
  { method: 'GET', path: '/memory/imports', operation: operations.imports_list },
  { path: '/memory/imports/cancel', operation: operations.imports_cancel },
  { method: 'GET', path: '/memory/imports/{import_id}', operation: operations.imports_get },
  { path: '/memory/forget', operation: operations.forget },
  { path: '/memory/ask', operation: operations.ask, streams: true },
  { path: '/memory/facts/search', operation: operations.facts_search },
  { path: '/memory/profile/get', operation: operations.profile_get },
  { method: 'GET', path: '/memory/people', query: ['project_id', 'as_of'], operation: operations.people_list },
  { path: '/memory/facts/supersede', operation: operations.facts_supersede },
  { path: '/memory/facts/restore', operation: operations.facts_restore },
  { path: '/memory/facts', operation: operations.facts_add },
  { path: '/memory/facts/{fact_id}/correct', operation: operations.facts_correct },
  { path: '/memory/facts/{fact_id}/retract', operation: operations.facts_retract },
  { path: '/memory/facts/{fact_id}/pin', operation: operations.facts_pin },
  { path: '/memory/facts/{fact_id}/unpin', operation: operations.facts_unpin },
  { path: '/memory/facts/{fact_id}/detach', operation: operations.facts_detach },
  { path: '/memory/facts/{fact_id}/undo', operation: operations.facts_undo },
  { path: '/memory/pending/approve', operation: operations.pending_approve },
  { path: '/memory/pending/reject', operation: operations.pending_reject },
  { method: 'GET', path: '/memory/projects', operation: operations.project_list },
  { method: 'GET', path: '/memory/projects/default', operation: operations.project_default_get },
  { method: 'GET', path: '/memory/projects/{project_id}', operation: operations.project_get },
  { method: 'GET', path: '/memory/projects/{project_id}/members', operation: operations.project_members },
  { path: '/memory/projects/members/set', operation: operations.project_member_set },
  { path: '/memory/projects/members/remove', operation: operations.project_member_remove },
  { method: 'GET', path: '/memory/tokens', operation: operations.token_list },
  { path: '/memory/tokens/revoke', operation: operations.token_revoke },
];

/** Routes whose body or answer is a file and so fits no JSON schema; their handlers are in transfer.ts. */
export const transferRoutes = {
  '/memory/export': {
    method: 'GET',
    operation: operations.export,
    access: operations.export.needs,
    parameters: ['format', 'source', 'date_from', 'date_to', 'tags', 'thread_id', 'memory_status', 'project_id'],
    sent: [],
    answered: ['application/x-ndjson', 'text/markdown', 'text/html'],
  },
  '/memory/import': {
    method: 'POST',
    operation: operations.import,
    access: operations.import.needs,
    parameters: ['format', 'since', 'dry_run', 'source', 'project_id', 'filename'],
    sent: [
      'application/octet-stream',
      'application/json',
      'application/x-ndjson',
      'application/zip',
      'text/csv',
      'multipart/form-data',
    ],
    answered: ['application/x-ndjson'],
  },
  '/memory/imports': {
    method: 'POST',
    operation: operations.imports_create,
    access: operations.imports_create.needs,
    parameters: ['format', 'since', 'dry_run', 'source', 'project_id', 'filename'],
    sent: [
      'application/octet-stream',
      'application/json',
      'application/x-ndjson',
      'application/zip',
      'text/csv',
      'multipart/form-data',
    ],
    answered: [],
  },
} as const satisfies Record<
  string,
  {
    method: 'GET' | 'POST';
    operation: OpenOperation;
    access: Needs;
    parameters: readonly string[];
    /** Media types of the request and the response, besides JSON. */
    sent: readonly string[];
    answered: readonly string[];
  }
>;

/** The other pages; their handlers are in add-routes.ts. */
export const statusRoutes = {
  '/health': {
    access: pageAccess['/health'],
    summary: 'Liveness, with the state of the service without secrets',
    type: 'application/json',
  },
  '/ready': {
    access: pageAccess['/ready'],
    summary: 'Readiness: queries the stores; 503 while one does not respond',
    type: 'application/json',
  },
  '/observability': {
    access: pageAccess['/observability'],
    summary: 'Settings of logs and telemetry without secrets; with service:operate also counters',
    type: 'application/json',
  },
  '/config': {
    access: pageAccess['/config'],
    summary: 'Every setting with its value and the source of the value, without secrets',
    type: 'application/json',
  },
  '/metrics': {
    access: pageAccess['/metrics'],
    summary: 'Counters, durations and gauges of the whole service for Prometheus',
    type: 'text/plain',
  },
  '/openapi.json': { access: pageAccess['/openapi.json'], summary: 'This description', type: 'application/json' },
  '/docs': { access: pageAccess['/docs'], summary: 'This description as a page', type: 'text/html' },
  '/clients': {
    access: pageAccess['/clients'],
    summary: 'The clients that can be connected over MCP, what to put into their settings, and when each was last seen',
    type: 'application/json',
  },
} as const satisfies Record<string, { access: Access; summary: string; type: string }>;

/** Changes on this machine that only the local user may request; `{client}` is a name from `GET /clients`. */
export const clientRoutes = {
  '/clients/{client}/connect': {
    access: pageAccess['/clients/{client}/connect'],
    operationId: 'clients_connect',
    summary: "Add this memory to a client's settings and keep a copy of the old file; local user only",
  },
  '/clients/{client}/disconnect': {
    access: pageAccess['/clients/{client}/disconnect'],
    operationId: 'clients_disconnect',
    summary: "Remove this memory from a client's settings; local user only",
  },
} as const satisfies Record<string, { access: Access; operationId: string; summary: string }>;

/**
 * Streamable HTTP. A client may only save or only read, so any memory scope gives access, and every operation checks
 * its own.
 */
export const mcpRoute = { path: '/mcp', access: pageAccess['/mcp'] } as const satisfies {
  path: string;
  access: Access;
};
