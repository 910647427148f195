import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { HandAnswer, HandVerb } from '../app/by-hand.js';
import { isSame, proofOf, readAddress, type ServerAddress } from '../app/server-address.js';
import { version } from '../app/version.js';
import { quickPlace } from '../config/quick-place.js';
import type { Config } from '../config/schema.js';
import { MemoryError } from '../model/errors.js';
import type { Invocation, Result, SharedOptions } from './command.js';
import { mentionEarlierData, tokenGiven, withRuntime } from './open.js';

/** Does one thing for the person at the keyboard: by the running server of the data folder, else with stores opened here. */
export async function perform<Verb extends HandVerb>(
  caller: Pick<Invocation, 'shared' | 'secrets'>,
  verb: Verb,
  payload: unknown,
  { config }: { config?: Config } = {},
): Promise<Performed<Verb>> {
  const token = tokenGiven(caller);
  // Debugging looks at what happens, which it can only do here.
  const performed = caller.shared.verbose ? undefined : await askServer(caller.shared, { verb, payload, token });
  if (performed !== undefined) return performed;
  const { doByHand } = await import('../app/by-hand.js');
  return withRuntime(
    caller,
    async ({ config: settings, runtime }) => ({
      value: await doByHand(runtime, { verb, payload, token }),
      dryRun: settings.storage.dry_run,
    }),
    config === undefined ? {} : { config },
  );
}

/** With `storage.dry_run` a command answers as if it had written; this adds that it has not. */
export function markedIfDry(result: Result, isDry: boolean): Result {
  if (!isDry) return result;
  return {
    ...result,
    json: { ...result.json, dry_run: true },
    text: (style) => `${result.text(style)}\nDry run: nothing was written.`,
  };
}

interface Performed<Verb extends HandVerb> {
  value: HandAnswer<Verb>;
  /** The answer is as if it had been written; it has not. */
  dryRun: boolean;
}

export interface Asked<Verb extends HandVerb> {
  verb: Verb;
  payload: unknown;
  token: string | undefined;
}

/**
 * Lets the running server of this data folder do it. Undefined when there is none, or one with other settings or of
 * another version: then the stores are opened here. Throws what the operation throws.
 */
async function askServer<Verb extends HandVerb>(
  shared: SharedOptions,
  asked: Asked<Verb>,
): Promise<Performed<Verb> | undefined> {
  const { config, data } = shared;
  const cwd = process.cwd();
  const place = await quickPlace({ config, data, cwd, environment: process.env });
  const address = place && readAddress(place.data.path);
  if (place === undefined || address === undefined) return undefined;
  const isOurs = address.version === version && isSame(address.settings, proofOf(address.secret, place.settings));
  if (!isOurs) return undefined;
  const agent = new Agent({ keepAlive: true });
  try {
    if (!(await isGenuine(address, agent))) return undefined;
    const body = JSON.stringify(asked);
    const answer = await exchange(address, { agent, method: 'POST', path: '/call', body });
    if (answer === undefined) return undefined;
    mentionEarlierData(cwd, place.data, shared);
    return performedOf<Verb>(answer);
  } finally {
    agent.destroy();
  }
}

/** The address of the server of a data folder, if one answers there. */
export async function runningServer(dataFolder: string): Promise<{ url: string; pid: number } | undefined> {
  const address = readAddress(dataFolder);
  if (address === undefined) return undefined;
  const agent = new Agent({ keepAlive: true });
  const genuine = await isGenuine(address, agent).finally(() => agent.destroy());
  return genuine ? { url: address.url, pid: address.pid } : undefined;
}

/** After a crash the file stays, and the port may belong to another program by now, which must not see a word. */
async function isGenuine(address: ServerAddress, agent: Agent): Promise<boolean> {
  const path = `/hello/${randomBytes(18).toString('base64url')}`;
  const answer = (await exchange(address, { agent, method: 'GET', path, patience: 1_000 })) as
    | { proof?: unknown }
    | undefined;
  return typeof answer?.proof === 'string' && isSame(answer.proof, proofOf(address.secret, path));
}

interface Exchange {
  agent: Agent;
  method: string;
  path: string;
  body?: string;
  /** Milliseconds; an operation takes as long as it takes. */
  patience?: number;
}

/** Undefined when nobody answers, or not to the end. */
function exchange(
  { port, secret }: ServerAddress,
  { agent, method, path, body, patience }: Exchange,
): Promise<unknown> {
  const headers =
    body === undefined
      ? {}
      : {
          authorization: `Bearer ${secret}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        };
  return new Promise((resolve) => {
    const nothing = (): void => resolve(undefined);
    const call = request({ host: '127.0.0.1', port, method, path, agent, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', nothing).on('aborted', nothing);
      response.on('end', () => resolve(response.statusCode === 200 ? parsed(Buffer.concat(parts)) : undefined));
    });
    if (patience !== undefined) call.setTimeout(patience, () => call.destroy());
    call.on('error', nothing).end(body);
  });
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    // Cut off: the same as no answer.
    return undefined;
  }
}

function performedOf<Verb extends HandVerb>(answer: unknown): Performed<Verb> {
  const { value, dry_run, error } = answer as {
    value: HandAnswer<Verb>;
    dry_run: boolean;
    error?: Pick<MemoryError, 'code' | 'message' | 'issues' | 'fields'>;
  };
  if (error === undefined) return { value, dryRun: dry_run };
  const { code, message, issues, fields } = error;
  throw new MemoryError(code, message, { fields, ...(issues === undefined ? {} : { issues }) });
}
