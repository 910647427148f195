import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { effectiveSettings } from '../config/active.js';
import type { Config } from '../config/schema.js';
import { isOurFault, MemoryError } from '../model/errors.js';
import type { Observer } from '../observability/observer.js';
import { doByHand, type HandVerb, handVerbs } from './by-hand.js';
import type { Runtime } from './open-runtime.js';
import { isSame, newSecret, proofOf, removeAddress, type ServerAddress, writeAddress } from './server-address.js';
import { version } from './version.js';

export interface LocalDoor {
  /** Stops accepting requests, finishes the accepted ones and removes the address file. */
  close(): Promise<void>;
}

interface DoorParts {
  config: Config;
  runtime: Pick<Runtime, 'service' | 'access'>;
  observer: Observer;
  /** The public address. */
  url: string;
  /** The settings of this process as they are written, serialised. */
  settings: string;
}

/**
 * A local endpoint for the data owner's command line: on loopback, on its own port, protected by a secret in the data
 * folder. If it cannot be opened, commands open the stores themselves.
 */
export async function openLocalDoor({ config, runtime, observer, url, settings }: DoorParts): Promise<LocalDoor> {
  const secret = newSecret();
  const folder = config.paths.dataDir;
  const answer = answerer({ config, runtime, observer, secret });
  const server = createServer((request, response) => void answer(request, response));
  // Enough for every command a person runs at the same time.
  server.maxConnections = 64;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    const address: ServerAddress = {
      version,
      pid: process.pid,
      url,
      port,
      secret,
      settings: proofOf(secret, settings),
      effectiveSettings: proofOf(secret, effectiveSettings(config)),
    };
    writeAddress(folder, address);
    return {
      async close() {
        removeAddress(folder, address);
        await closed(server);
      },
    };
  } catch (error) {
    observer.log('warn', 'local_door_failed', {}, error);
    await closed(server);
    return { close: async () => {} };
  }
}

function closed(server: ReturnType<typeof createServer>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}

function answerer({ config, runtime, observer, secret }: Omit<DoorParts, 'url' | 'settings'> & { secret: string }) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, url = '', headers } = request;
    // Proves to a command, before it sends anything, that this is the server that wrote the file.
    if (method === 'GET' && url.startsWith('/hello/')) return send(response, 200, { proof: proofOf(secret, url) });
    if (method !== 'POST' || url !== '/call' || !isSame(headers.authorization ?? '', `Bearer ${secret}`)) {
      return send(response, 403, {});
    }
    let verb = 'unknown';
    try {
      const call = callIn(await bodyOf(request, config.limits.maxBodyBytes));
      verb = call.verb;
      const value = await doByHand(runtime, call);
      send(response, 200, { value, dry_run: config.storage.dryRun });
    } catch (error) {
      const ours = isOurFault(error);
      if (ours) observer.log('error', 'local_call_failed', { operation: verb }, error);
      const { code, message, issues, fields } =
        error instanceof MemoryError ? error : new MemoryError('internal_error', 'The server failed; its log says why');
      send(response, 200, { error: { code, message, issues, fields } });
    }
  };
}

function callIn(text: string): { verb: HandVerb; payload: unknown; token?: string } {
  const { verb, payload, token } = JSON.parse(text) as Record<string, unknown>;
  const known = handVerbs.find((each) => each === verb);
  if (known === undefined) throw new MemoryError('invalid_input', 'The server does not know this command');
  return { verb: known, payload, ...(typeof token === 'string' ? { token } : {}) };
}

async function bodyOf(request: IncomingMessage, limit: number): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    // The command line has already checked the size of its input; the envelope needs a little more.
    if (size > limit * 2) throw new MemoryError('payload_too_large', `The request is larger than ${limit} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
