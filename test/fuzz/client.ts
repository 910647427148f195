import { Agent, request } from 'node:http';
import { patience } from './settings.js';

/** A request as it goes over the wire. */
export interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: Buffer;
}

export interface Got {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 32 });

/** Throws when there is no answer in time, or none at all. */
export async function send(url: string, sent: Sent): Promise<Got> {
  try {
    return await sendOnce(url, sent);
  } catch (error) {
    // The server may close a connection that lay idle in the moment it is used again.
    if (error instanceof Cut && error.reused) return sendOnce(url, sent);
    throw error;
  }
}

class Cut extends Error {
  readonly reused: boolean;
  constructor(message: string, reused: boolean) {
    super(message);
    this.reused = reused;
  }
}

function sendOnce(url: string, { method, path, headers, body }: Sent): Promise<Got> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let answered = false;
    const call = request({ agent, hostname, port, method, path, headers }, (response) => {
      answered = true;
      const parts: Buffer[] = [];
      const done = (): void => {
        clearTimeout(timer);
        const text = Buffer.concat(parts).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      };
      response.on('data', (part: Buffer) => {
        parts.push(part);
        // A stream of events has no end of its own.
        if (String(response.headers['content-type']).startsWith('text/event-stream') && method === 'GET') {
          done();
          response.destroy();
        }
      });
      response.on('end', done);
      response.on('error', done);
      if (method === 'GET' && String(response.headers['content-type']).startsWith('text/event-stream')) {
        done();
        response.destroy();
      }
    });
    const timer = setTimeout(() => {
      reject(new Error(`no answer within ${patience} ms`));
      call.destroy();
    }, patience);
    call.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      // An answer may come before the body was sent whole; then it counts.
      if (!answered) reject(new Cut(`no answer: ${error.code ?? error.message}`, call.reusedSocket));
    });
    call.end(body);
  });
}
