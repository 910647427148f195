import { localPrincipal } from '../auth/access.js';
import type { Principal } from '../model/access.js';
import type { createLocalImport, importSession } from '../operations/imports/operations.js';
import { type OpenOperation, opened } from '../operations/operation.js';
import type { operations } from '../operations/table.js';
import type { Runtime } from './open-runtime.js';

/**
 * Operations that both a command and a running server can perform. Other long-running commands open the stores
 * themselves.
 */
export const handVerbs = [
  'search',
  'ask',
  'retrieve',
  'insert',
  'conversations_list',
  'conversations_update',
  'facts_search',
  'facts_supersede',
  'facts_restore',
  'facts_add',
  'facts_correct',
  'facts_retract',
  'facts_pin',
  'facts_unpin',
  'facts_detach',
  'facts_undo',
  'profile_get',
  'people_list',
  'imports_local',
  'imports_get',
  'imports_cancel',
  'import_session',
] as const;

export type HandVerb = (typeof handVerbs)[number];

/** All operations, and those that read files of this machine, which no other adapter offers. */
type OfThisMachine = typeof operations & {
  imports_local: OpenOperation<Awaited<ReturnType<(typeof createLocalImport)['run']>>>;
  import_session: OpenOperation<Awaited<ReturnType<(typeof importSession)['run']>>>;
};

export type HandAnswer<Verb extends HandVerb> = Awaited<ReturnType<OfThisMachine[Verb]['execute']>>;

/**
 * Loads what the verb needs. A command that searches or asks would otherwise spend most of its time on loading the
 * other operations.
 */
async function operationOf(verb: HandVerb): Promise<OpenOperation> {
  switch (verb) {
    case 'search':
      return opened((await import('../operations/search/search.js')).search);
    case 'ask':
      return opened((await import('../operations/ask/ask.js')).ask);
    case 'imports_local':
      return opened((await import('../operations/imports/operations.js')).createLocalImport);
    case 'import_session':
      return opened((await import('../operations/imports/operations.js')).importSession);
    default:
      return (await import('../operations/table.js')).operations[verb];
  }
}

/** Runs the same code whether a command opened the stores itself or asked a running server. */
export async function doByHand<Verb extends HandVerb>(
  runtime: Pick<Runtime, 'service' | 'access'>,
  { verb, payload, token }: { verb: Verb; payload: unknown; token?: string | undefined },
): Promise<HandAnswer<Verb>> {
  const { service } = runtime;
  const call = { principal: await principalOf(runtime, token), defaultSource: 'cli' };
  // The insert policy is for clients that save on their own (the interface names API and MCP); a person who runs a
  // command has already decided.
  const settings = { ...service.settings, insertPolicy: 'permissive' as const };
  const operation = await operationOf(verb);
  return (await operation.execute({ ...service, settings }, call, payload)) as HandAnswer<Verb>;
}

/** Without a token there is nothing to look up, and nothing to wait for. */
export function principalOf(
  { access }: Pick<Runtime, 'access'>,
  token: string | undefined,
): Principal | Promise<Principal> {
  if (token === undefined) return localPrincipal;
  return access.tokens.identify({ authorization: `Bearer ${token.trim()}`, tokenInAddress: false });
}
