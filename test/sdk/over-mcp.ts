import { MemoryError } from '../../src/model/errors.js';
import type { Memory } from '../../src/sdk/memory.js';
import { type CallName, memoryOver, type Transport } from '../../src/sdk/transport.js';
import { aSession } from '../support/mcp.js';
import { type Body, startService } from '../support/service.js';
import type { Opened } from './both.js';

/** The operations that MCP offers, by the names of its tools. */
const tools: Partial<Record<CallName, string>> = {
  insert: 'memory_insert',
  validate: 'memory_validate',
  search: 'memory_search',
  retrieve: 'memory_retrieve',
  context: 'memory_context',
  ask: 'memory_ask',
  facts_search: 'memory_fact_search',
  facts_supersede: 'memory_fact_supersede',
  facts_add: 'memory_fact_add',
  facts_correct: 'memory_fact_correct',
  facts_retract: 'memory_fact_retract',
  facts_pin: 'memory_fact_pin',
  facts_unpin: 'memory_fact_unpin',
  facts_undo: 'memory_fact_undo',
  profile_get: 'memory_profile_get',
  people_list: 'memory_people',
  pending_approve: 'memory_pending_approve',
  pending_reject: 'memory_pending_reject',
  project_list: 'memory_project_list',
  project_default_get: 'memory_project_default_get',
  project_get: 'memory_project_get',
};

/** Tools that shorten their answers for a model unless they are told not to. */
const detailed = new Set<CallName>(['search', 'ask', 'facts_search', 'profile_get']);

/** What a call that MCP has no tool for rejects with. */
export class NoTool extends Error {}

/** The library's interface on the MCP tools of a service. */
export async function overMcp(): Promise<Opened> {
  const service = await startService();
  const session = await aSession(service);
  const refuse = (): never => {
    throw new NoTool('MCP has no such tool');
  };
  const transport: Transport = {
    async call(name, input) {
      const tool = tools[name] ?? refuse();
      const whole = detailed.has(name) ? { response_format: 'detailed' } : {};
      const given = name === 'insert' || name === 'validate' ? { conversation_json: input } : (input as Body);
      const answer = await session.call(tool, { ...given, ...whole });
      if (answer.status === 'error') throw new MemoryError(answer.error_code as 'not_found', 'The tool refused');
      return answer as never;
    },
    askAloud: refuse,
    export: refuse,
    import: refuse,
    createImport: refuse,
    status: refuse,
    close: service.close,
  };
  const memory: Memory = memoryOver(transport, {});
  return { memory, remove: () => memory.close() };
}
