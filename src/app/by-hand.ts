import { localPrincipal } from '../auth/access.js';
import type { Principal } from '../model/access.js';
import { createLocalImport, importSession } from '../operations/imports/operations.js';
import { opened } from '../operations/operation.js';
import { operations } from '../operations/table.js';
import type { Runtime } from './open-runtime.js';

/** All operations, and those that read files of this machine, which no other adapter offers. */
const ofThisMachine = {
  ...operations,
  imports_local: opened(createLocalImport),
  import_session: opened(importSession),
};

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
export type HandAnswer<Verb extends HandVerb> = Awaited<ReturnType<(typeof ofThisMachine)[Verb]['execute']>>;

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
  return (await ofThisMachine[verb].execute({ ...service, settings }, call, payload)) as HandAnswer<Verb>;
}

/** Without a token there is nothing to look up, and nothing to wait for. */
export function principalOf(
  { access }: Pick<Runtime, 'access'>,
  token: string | undefined,
): Principal | Promise<Principal> {
  if (token === undefined) return localPrincipal;
  return access.tokens.identify({ authorization: `Bearer ${token.trim()}`, tokenInAddress: false });
}
