import { z } from 'zod';
import { StartupError } from '../model/errors.js';
import type { Breaker, CallOutcome } from '../resilience/breaker.js';
import { type Ending, type LanguageModel, ModelFailure } from './contract.js';

/*
 * A client of the chat endpoint that Ollama, llama.cpp, LM Studio and hosted services share (`/chat/completions`). Each
 * call makes one request without retries: the caller has an answer without the model, and a busy local model does not
 * get faster by being asked twice.
 */

export interface ChatOptions {
  key: EndpointKey;
  baseUrl: string;
  apiKey: string;
  model: string;
  timeoutMs: number;
  maxTokens: number;
  /** Stops requests to a server that keeps failing. */
  breaker?: Breaker;
}

/** Far more than `max_tokens` can need, including the framing of each event. */
const mostBytes = 8_000_000;

/** Throws `StartupError` for an unusable address or key. */
export function createLanguageModel(options: ChatOptions): LanguageModel {
  const { model, maxTokens, timeoutMs, breaker } = options;
  const endpoint = readChatEndpoint(options.key, options);
  const closing = new AbortController();
  /** Some servers reject a request with a schema; from then on they get only the instructions. */
  let sendSchema = true;

  async function post(fields: object, signal: AbortSignal): Promise<Response> {
    const response = await fetch(endpoint.url, {
      method: 'POST',
      headers: endpoint.headers,
      body: JSON.stringify({ model, temperature: 0, max_tokens: maxTokens, ...fields }),
      // A redirect would send the texts and the key to another host.
      redirect: 'manual',
      signal,
    });
    if (response.ok) return response;
    // The body of a failure may echo the texts.
    await response.body?.cancel();
    throw new StatusFailure(response.status);
  }

  /** Runs one call within its time limit and converts every failure to a `ModelFailure`. */
  async function within<Result>(
    caller: AbortSignal | undefined,
    run: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const given = [closing.signal, ...(caller === undefined ? [] : [caller])];
    if (given.some(({ aborted }) => aborted)) throw new ModelFailure('cancelled');
    const ticket = breaker?.enter();
    if (breaker !== undefined && ticket === undefined) throw new ModelFailure('left_alone');
    const time = new AbortController();
    const timer = setTimeout(() => time.abort(), timeoutMs);
    let outcome: CallOutcome = 'answered';
    try {
      return await run(AbortSignal.any([...given, time.signal]));
    } catch (error) {
      const reason = given.some(({ aborted }) => aborted)
        ? 'cancelled'
        : time.signal.aborted
          ? 'timeout'
          : reasonOf(error);
      outcome = outcomeOf(reason, error);
      throw new ModelFailure(reason);
    } finally {
      clearTimeout(timer);
      if (ticket !== undefined) breaker?.settle(ticket, outcome);
    }
  }

  return {
    stream(messages, { onText, signal: caller }) {
      return within(caller, async (signal) => {
        const response = await post({ messages, stream: true }, signal);
        if (!isEventStream(response)) {
          // A server without streaming sends the whole answer at once.
          const { content, ending } = answerIn(await textOf(response));
          await onText(content);
          return ending;
        }
        return readStream(response, onText);
      });
    },

    complete(messages, { name, schema, signal: caller }) {
      return within(caller, async (signal) => {
        const format = { response_format: { type: 'json_schema', json_schema: { name, strict: true, schema } } };
        const plain = { messages: [...messages], stream: false };
        const response = await post({ ...plain, ...(sendSchema ? format : {}) }, signal).catch((error: unknown) => {
          if (!sendSchema || !(error instanceof StatusFailure) || !refusesRequest(error.status)) throw error;
          sendSchema = false;
          return post(plain, signal);
        });
        const { content, ending } = answerIn(await textOf(response));
        // Truncated JSON is invalid.
        if (ending === 'length') throw new ModelFailure('malformed');
        return content;
      });
    },

    describe: () => ({ model, host: endpoint.host }),

    async close() {
      closing.abort();
    },
  };
}

/** A status other than 2xx. */
class StatusFailure extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`HTTP ${status}`);
    this.status = status;
  }
}

function refusesRequest(status: number): boolean {
  return status === 400 || status === 422;
}

function reasonOf(error: unknown): ModelFailure['reason'] {
  if (error instanceof ModelFailure) return error.reason;
  return error instanceof StatusFailure ? 'failed' : 'unreachable';
}

/** Only failures of an unreachable or overloaded server count against it. */
function outcomeOf(reason: ModelFailure['reason'], error: unknown): CallOutcome {
  if (reason === 'cancelled') return 'unknown';
  if (reason === 'timeout' || reason === 'unreachable') return 'failed';
  const status = error instanceof StatusFailure ? error.status : 0;
  return status >= 500 || status === 429 || status === 408 ? 'failed' : 'answered';
}

function isEventStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true;
}

const finish = z.string().nullish();
const streamed = z.looseObject({
  choices: z.array(
    z.looseObject({
      delta: z.looseObject({ content: z.string().nullish(), refusal: z.string().nullish() }).optional(),
      finish_reason: finish,
    }),
  ),
});
const whole = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        message: z.looseObject({ content: z.string().nullish(), refusal: z.string().nullish() }),
        finish_reason: finish,
      }),
    )
    .min(1),
});

async function readStream(response: Response, onText: (text: string) => Promise<void>): Promise<Ending> {
  if (response.body === null) throw new ModelFailure('malformed');
  let ending: Ending | undefined;
  for await (const data of eventsOf(response.body, mostBytes)) {
    if (data === '[DONE]') {
      if (ending === undefined) break;
      return ending;
    }
    const event = parsed(data);
    if (typeof event === 'object' && event !== null && 'error' in event) throw new ModelFailure('failed');
    const { success, data: piece } = streamed.safeParse(event);
    if (!success) throw new ModelFailure('malformed');
    // The last event may contain token counts and no choice.
    const [choice] = piece.choices;
    if (choice === undefined) continue;
    if (isRefusal(choice.delta?.refusal, choice.finish_reason)) throw new ModelFailure('refused');
    if (choice.delta?.content) await onText(choice.delta.content);
    ending = endingOf(choice.finish_reason) ?? ending;
  }
  // The stream ended early: the rest might have reversed the meaning of the text so far.
  throw new ModelFailure('malformed');
}

async function textOf(response: Response): Promise<string> {
  if (response.body === null) throw new ModelFailure('malformed');
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const part of response.body) {
    bytes += part.byteLength;
    if (bytes > mostBytes) throw new ModelFailure('malformed');
    text += decoder.decode(part, { stream: true });
  }
  return text;
}

function answerIn(body: string): { content: string; ending: Ending } {
  const { success, data } = whole.safeParse(parsed(body));
  const [choice] = data?.choices ?? [];
  if (!success || choice === undefined) throw new ModelFailure('malformed');
  if (isRefusal(choice.message.refusal, choice.finish_reason)) throw new ModelFailure('refused');
  return { content: choice.message.content ?? '', ending: endingOf(choice.finish_reason) ?? 'stop' };
}

function isRefusal(refusal: string | null | undefined, finished: string | null | undefined): boolean {
  return (refusal ?? '') !== '' || finished === 'content_filter';
}

function endingOf(finished: string | null | undefined): Ending | undefined {
  if (finished === undefined || finished === null || finished === '') return undefined;
  return finished === 'length' ? 'length' : 'stop';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the text, so it is not kept.
    throw new ModelFailure('malformed');
  }
}

/** The data of each server-sent event, in order. Throws `malformed` when the stream is longer than `mostBytes`. */
export async function* eventsOf(body: ReadableStream<Uint8Array>, mostBytes: number): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let bytes = 0;
  /**
   * The pieces of the current, incomplete line. They are joined once, because joining at each piece would be
   * quadratic.
   */
  let begun: string[] = [];
  let data: string[] = [];
  for await (const part of body) {
    bytes += part.byteLength;
    if (bytes > mostBytes) throw new ModelFailure('malformed');
    const [end = '', ...lines] = decoder.decode(part, { stream: true }).split('\n');
    begun.push(end);
    for (const next of lines) {
      const line = begun.join('');
      begun = [next];
      const text = line.endsWith('\r') ? line.slice(0, -1) : line;
      if (text === '') {
        if (data.length > 0) yield data.join('\n');
        data = [];
      } else if (text.startsWith('data:')) data.push(text.slice(text.startsWith('data: ') ? 6 : 5));
      // Comments are keep-alives; event names and ids are not used here.
    }
  }
}

/** The configuration section of the endpoint, for messages. */
export type EndpointKey = 'ask.model' | 'facts.model';

interface ChatEndpoint {
  url: URL;
  headers: Record<string, string>;
  /** Host and port, safe to show in diagnostics. */
  host: string;
}

/**
 * The URL and headers of a request. Throws `StartupError` for an invalid address or key, because the errors that
 * `fetch` would raise later quote both.
 */
function readChatEndpoint(key: EndpointKey, { baseUrl, apiKey }: { baseUrl: string; apiKey: string }): ChatEndpoint {
  const refuse = (message: string, hint: string): StartupError =>
    new StartupError('config_invalid', `${key}.${message}`, { hint });
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw refuse('base_url must be an http or https address.', 'An example is http://127.0.0.1:11434/v1.');
  }
  if (url.username !== '' || url.password !== '') {
    throw refuse('base_url must not contain a user name or password.', `Put the key into ${key}.api_key.`);
  }
  if (!/^[\x21-\x7e]*$/.test(apiKey)) {
    throw refuse(
      'api_key contains characters that are not allowed in a header.',
      'Check it for spaces, line breaks and quotation marks.',
    );
  }
  const { host } = url;
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/chat/completions`;
  return {
    url,
    host,
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json',
      ...(apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
    },
  };
}
