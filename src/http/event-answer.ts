import { runYielding } from '../concurrency/yielding.js';
import { jsonPieces } from '../model/json.js';
import type { Steps } from '../model/steps.js';
import type { AnswerSentence } from '../operations/ask/shapes.js';
import type { RouteContext } from './admission.js';
import { errorAnswer } from './errors.js';

export const eventStream = 'text/event-stream';

export function wantsEvents(context: RouteContext): boolean {
  return (context.req.header('accept') ?? '').includes(eventStream);
}

/** What a streamed call receives: a sink for its sentences, and a signal that fires when the client disconnects. */
export interface Listening {
  onSentence: (sentence: AnswerSentence) => void;
  signal: AbortSignal;
}

/**
 * An answer as server-sent events: a `sentence` for each verified sentence, then `answer` with the whole answer, which
 * is authoritative. A failure before the first event gives a normal error response; a later one gives the event
 * `error`. A client that disconnects cancels the call.
 */
export async function eventAnswer(
  context: RouteContext,
  run: (listening: Listening) => Promise<object>,
): Promise<Response> {
  const leaving = new AbortController();
  const encoder = new TextEncoder();
  let isOpen = true;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  // A few sentences and one answer are small enough to buffer for a slow reader.
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
    },
    cancel() {
      isOpen = false;
      leaving.abort();
    },
  });
  const write = (text: string): void => {
    if (isOpen) controller?.enqueue(encoder.encode(text));
  };
  const send = (name: 'sentence' | 'error', data: object): void => {
    write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  /** In steps: the answer may hold whole conversations. */
  function* sendingAnswer(answer: object): Steps<void> {
    write('event: answer\ndata: ');
    for (const piece of jsonPieces(answer)) {
      write(piece);
      yield;
    }
    write('\n\n');
  }

  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const signal = AbortSignal.any([context.req.raw.signal, leaving.signal]);
  const onSentence = (sentence: AnswerSentence): void => {
    send('sentence', sentence);
    begin();
  };
  const answered = run({ onSentence, signal });
  const requestId = context.get('requestId');
  answered
    .then(
      (answer) => runYielding(sendingAnswer(answer)),
      (error: unknown) => send('error', errorAnswer(error, requestId).body),
    )
    .finally(() => {
      if (isOpen) controller?.close();
      isOpen = false;
    });
  await Promise.race([begun, answered]);
  return new Response(body, {
    headers: {
      'content-type': eventStream,
      'cache-control': 'no-store',
      // Keeps proxies from buffering the stream.
      'x-accel-buffering': 'no',
    },
  });
}
