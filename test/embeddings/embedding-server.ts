import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hashEmbedding } from '../../src/embeddings/local.js';

export interface ReceivedRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: { model: string; input: string[]; encoding_format: string; dimensions?: number };
}

export type Answer = (response: ServerResponse, request: ReceivedRequest) => void;

export interface EmbeddingServer {
  baseUrl: string;
  requests: ReceivedRequest[];
  /** The most requests that were open at the same moment. */
  readonly mostAtOnce: number;
  /** Answers the next requests, one each; after them everything is answered well. */
  next(...answers: Answer[]): void;
  /** Answers every further request. */
  always(answer: Answer): void;
  close(): Promise<void>;
}

/** A real HTTP server with an OpenAI-compatible embeddings route whose vectors are the local hash. */
export async function startEmbeddingServer({ dimension }: { dimension: number }): Promise<EmbeddingServer> {
  const requests: ReceivedRequest[] = [];
  const queue: Answer[] = [];
  let usual = well(dimension);
  let open = 0;
  let mostAtOnce = 0;
  const server = createServer(async (incoming, response) => {
    open++;
    mostAtOnce = Math.max(mostAtOnce, open);
    response.once('close', () => open--);
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part);
    const body = JSON.parse(Buffer.concat(parts).toString('utf8'));
    const request = { path: incoming.url ?? '', headers: incoming.headers, body };
    requests.push(request);
    (queue.shift() ?? usual)(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    get mostAtOnce() {
      return mostAtOnce;
    },
    next: (...answers) => queue.push(...answers),
    always(answer) {
      usual = answer;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The items of a right answer. */
export function items(request: ReceivedRequest, dimension: number): { index: number; embedding: number[] }[] {
  return request.body.input.map((text, index) => ({ index, embedding: [...hashEmbedding(text, dimension)] }));
}

export function well(dimension: number): Answer {
  return (response, request) => json({ object: 'list', data: items(request, dimension) })(response, request);
}

export function json(body: unknown): Answer {
  return (response) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
}

export function status(code: number, headers: Record<string, string> = {}): Answer {
  // Servers like to repeat what they were sent: nothing of this may reach an error.
  return (response, request) =>
    response.writeHead(code, headers).end(`${request.headers.authorization} ${request.body.input.join(' ')}`);
}

export const silence: Answer = () => {};

export const reset: Answer = (response) => {
  response.socket?.resetAndDestroy();
};
