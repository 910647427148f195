import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

/*
 * A stand-in for a language model behind an OpenAI-compatible chat endpoint (Ollama, llama.cpp, LM Studio). It speaks the
 * protocol over a real socket and is strict about what it is sent: anything but the request below is answered with 400 and
 * noted in `violations`. What it answers is the test's choice; there is no model in it.
 */

const request = z.strictObject({
  model: z.literal('stand-in'),
  temperature: z.literal(0),
  max_tokens: z.int().positive(),
  messages: z.tuple([
    z.strictObject({ role: z.literal('system'), content: z.string().min(1) }),
    z.strictObject({ role: z.literal('user'), content: z.string().min(1) }),
  ]),
  stream: z.boolean(),
  response_format: z
    .strictObject({
      type: z.literal('json_schema'),
      json_schema: z.strictObject({ name: z.string().regex(/^\w+$/), strict: z.literal(true), schema: z.object({}) }),
    })
    .optional(),
});

export type ChatRequest = z.infer<typeof request>;

export interface ChatServer {
  baseUrl: string;
  /** The configuration that points to it. */
  settings: { base_url: string; model: string; api_key: string };
  requests: ChatRequest[];
  violations: string[];
  /** Requests whose client hung up before the answer was complete. */
  readonly abandoned: number;
  /** How the next requests are answered, one each, and those after them like the last. */
  answers(...replies: Reply[]): void;
}

export type Reply = (response: ServerResponse, sent: ChatRequest) => void;

export const chatKey = 'sk-stand-in-secret-key';

/** Listens until the test ends. */
export async function aChatServer(...replies: Reply[]): Promise<ChatServer> {
  const requests: ChatRequest[] = [];
  const violations: string[] = [];
  let queue = replies;
  let abandoned = 0;
  const server = createServer(async (incoming, response) => {
    response.once('close', () => {
      if (!response.writableFinished) abandoned += 1;
    });
    const { problem, sent } = await accept(incoming);
    if (sent === undefined) {
      violations.push(problem);
      response.writeHead(400).end();
      return;
    }
    requests.push(sent);
    const reply = queue.length > 1 ? queue.shift() : queue[0];
    (reply ?? status(500))(response, sent);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return {
    baseUrl,
    settings: { base_url: baseUrl, model: 'stand-in', api_key: chatKey },
    requests,
    violations,
    get abandoned() {
      return abandoned;
    },
    answers(...next) {
      queue = next;
    },
  };
}

async function accept(incoming: IncomingMessage): Promise<{ problem: string; sent?: ChatRequest }> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part);
  const { method, url, headers } = incoming;
  if (method !== 'POST' || url !== '/v1/chat/completions') return { problem: `${method} ${url}` };
  if (headers.authorization !== `Bearer ${chatKey}`) return { problem: 'authorization' };
  if (headers['content-type'] !== 'application/json') return { problem: 'content-type' };
  const parsed = request.safeParse(JSON.parse(Buffer.concat(parts).toString('utf8')));
  return parsed.success ? { problem: '', sent: parsed.data } : { problem: z.prettifyError(parsed.error) };
}

interface Ended {
  finish?: string | null;
  /** Leaves the last event out, as a connection that breaks does. */
  truncated?: true;
}

/** The text in the pieces that are given, as server-sent events where the request asks for a stream. */
export function says(pieces: string | readonly string[], { finish = 'stop', truncated }: Ended = {}): Reply {
  const texts = typeof pieces === 'string' ? pieces.split(/(?<= )/) : pieces;
  return (response, { stream }) => {
    if (!stream) {
      const message = { role: 'assistant', content: texts.join('') };
      json(200, { choices: [{ index: 0, message, finish_reason: finish }] })(response);
      return;
    }
    begin(response);
    response.write(event({ choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] }));
    for (const content of texts) {
      response.write(event({ choices: [{ index: 0, delta: { content }, finish_reason: null }] }));
    }
    if (truncated === true) {
      response.end();
      return;
    }
    response.write(event({ choices: [{ index: 0, delta: {}, finish_reason: finish }] }));
    response.write(event({ choices: [], usage: { total_tokens: 1 } }));
    response.end('data: [DONE]\n\n');
  };
}

/** Sends these pieces and then nothing more, until the client hangs up. */
export function saysAndHangs(...pieces: string[]): Reply {
  return (response) => {
    begin(response);
    for (const content of pieces) {
      response.write(event({ choices: [{ index: 0, delta: { content }, finish_reason: null }] }));
    }
    response.flushHeaders();
  };
}

/** Says nothing at all until the client hangs up. */
export const hangs: Reply = () => {};

export function status(code: number): Reply {
  return (response, { messages }) => {
    // Servers like to quote what they were sent.
    response.writeHead(code, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: `bad request: ${messages[1].content}` } }));
  };
}

export function json(code: number, body: unknown): (response: ServerResponse) => void {
  return (response) => {
    response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
}

/** An event that is no JSON. */
export const malformed: Reply = (response) => {
  begin(response);
  response.end('data: {"choices": [{"delta": {"content": "You live\n\ndata: [DONE]\n\n');
};

export const refuses: Reply = (response) => {
  begin(response);
  response.write(
    event({ choices: [{ index: 0, delta: { refusal: 'I cannot help with that.' }, finish_reason: null }] }),
  );
  response.end('data: [DONE]\n\n');
};

/** Fails after it has begun, as llama.cpp tells it. */
export const failsMidway: Reply = (response) => {
  begin(response);
  response.write(event({ choices: [{ index: 0, delta: { content: 'You live in ' }, finish_reason: null }] }));
  response.end(event({ error: { code: 500, message: 'out of memory' } }));
};

function begin(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
}

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
