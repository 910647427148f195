import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { HandAnswer, HandVerb } from '../app/by-hand.js';
import { isSame, proofOf, readAddress, type ServerAddress } from '../app/server-address.js';
import { version } from '../app/version.js';
import { type Place, quickPlace } from '../config/places.js';
import type { Config } from '../config/schema.js';
import { MemoryError } from '../model/errors.js';
import type { Invocation, Result } from './command.js';
import { mentionEarlierData, readConfigFor, tokenGiven, withRuntime } from './open.js';

type Caller = Pick<Invocation, 'shared' | 'secrets'>;

/**
 * Performs one operation for the local user: through the running server of the data folder, or with stores opened here.
 */
export async function perform<Verb extends HandVerb>(
  caller: Caller,
  verb: Verb,
  payload: unknown,
  { config }: { config?: Config } = {},
): Promise<Performed<Verb>> {
  const token = tokenGiven(caller);
  // --verbose shows this process's logs, so the work must run here.
  const performed = caller.shared.verbose ? undefined : await askServer(caller, { verb, payload, token });
  if (performed !== undefined) return performed;
  const { doByHand } = await import('../app/by-hand.js');
  return withRuntime(
    caller,
    async ({ config: settings, runtime }) => ({
      value: await doByHand(runtime, { verb, payload, token }),
      dryRun: settings.storage.dryRun,
    }),
    {
      ...(verb === 'search' || verb === 'ask' ? { only: verb } : {}),
      ...(config === undefined ? {} : { config }),
    },
  );
}

/** Adds a note to the result when `storage.dry_run` is on: commands otherwise answer as if they had written. */
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
  /** The result looks as if it had been written, but nothing was. */
  dryRun: boolean;
}

export interface Asked<Verb extends HandVerb> {
  verb: Verb;
  payload: unknown;
  token: string | undefined;
}

/**
 * Sends the operation to the running server of this data folder. Undefined if there is none, or if it has other
 * settings or another version: then this process opens the stores. Throws what the operation throws.
 */
function askServer<Verb extends HandVerb>(caller: Caller, asked: Asked<Verb>): Promise<Performed<Verb> | undefined> {
  return atServer(caller, (ask) => ask(asked));
}

/** Undefined when the server does not answer. */
type Ask = <Verb extends HandVerb>(asked: Asked<Verb>) => Promise<Performed<Verb> | undefined>;

async function atServer<T>(caller: Caller, run: (ask: Ask) => Promise<T>): Promise<T | undefined> {
  const found = await findServer(caller);
  if (found === undefined) return undefined;
  const { address, data } = found;
  const agent = new Agent({ keepAlive: true });
  try {
    if (!(await isGenuine(address, agent))) return undefined;
    return await run(async (asked) => {
      const body = JSON.stringify(asked);
      const answer = await exchange(address, { agent, method: 'POST', path: '/call', body });
      if (answer === undefined) return undefined;
      mentionEarlierData(process.cwd(), data, caller.shared);
      return performedOf(answer);
    });
  } finally {
    agent.destroy();
  }
}

/** The server that wrote its address into the data folder, if its settings are equivalent to this command's. */
async function findServer(caller: Caller): Promise<{ address: ServerAddress; data: Place } | undefined> {
  const { config, data } = caller.shared;
  const quick = await quickPlace({ config, data, cwd: process.cwd(), environment: process.env });
  if (quick !== undefined) {
    const address = addressIn(quick.data);
    if (address === undefined) return undefined;
    if (isSame(address.settings, proofOf(address.secret, quick.settings))) return { address, data: quick.data };
  }
  // Settings that are written differently may be equivalent. Comparing them needs the whole configuration, which loads
  // slowly.
  const loaded = await readConfigFor(caller);
  const address = addressIn(loaded.places.data);
  if (address === undefined) return undefined;
  const { effectiveSettings } = await import('../config/active.js');
  const isOurs = isSame(address.effectiveSettings ?? '', proofOf(address.secret, effectiveSettings(loaded.config)));
  return isOurs ? { address, data: loaded.places.data } : undefined;
}

function addressIn(data: Place): ServerAddress | undefined {
  const address = readAddress(data.path);
  return address?.version === version ? address : undefined;
}

/** Throws if the server stops in the meantime. */
export type Performer = <Verb extends HandVerb>(verb: Verb, payload: unknown) => Promise<Performed<Verb>>;

/**
 * Performs several operations at the running server of the data folder, for a command that follows a job there.
 * Undefined when there is no such server: then the command opens the stores.
 */
export async function withServer<T>(caller: Caller, run: (perform: Performer) => Promise<T>): Promise<T | undefined> {
  // --verbose shows this process's logs, so the work must run here.
  if (caller.shared.verbose) return undefined;
  const token = tokenGiven(caller);
  return atServer(caller, (ask) =>
    run(async (verb, payload) => {
      const performed = await ask({ verb, payload, token });
      if (performed !== undefined) return performed;
      throw new MemoryError('metadata_unavailable', 'The server stopped before it answered');
    }),
  );
}

/** The URL of the data folder's server, if it answers. */
export async function runningServer(dataFolder: string): Promise<{ url: string; pid: number } | undefined> {
  const address = readAddress(dataFolder);
  if (address === undefined) return undefined;
  const agent = new Agent({ keepAlive: true });
  const genuine = await isGenuine(address, agent).finally(() => agent.destroy());
  return genuine ? { url: address.url, pid: address.pid } : undefined;
}

/**
 * Authenticates the server before anything is sent: after a crash the file remains, and another program may use the
 * port by now.
 */
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
  /** Time-out in milliseconds; operations have none. */
  patience?: number;
}

/** Undefined when there is no answer or an incomplete one. */
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
    // The connection was cut off: treated as no answer.
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
