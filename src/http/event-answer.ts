import type { AnswerSentence } from '../operations/ask/output.js';
import type { RouteContext } from './admission.js';
import { errorAnswer } from './errors.js';

export const eventStream = 'text/event-stream';

export function wantsEvents(context: RouteContext): boolean {
  return (context.req.header('accept') ?? '').includes(eventStream);
}

/** What a streamed call is given: where its sentences go, and when nobody waits for them any more. */
export interface Listening {
  onSentence: (sentence: AnswerSentence) => void;
  signal: AbortSignal;
}

/**
 * An answer as server-sent events: a `sentence` for each sentence that passed its check, then `answer` with the whole
 * answer, which has the last word. A failure before the first event is answered as without streaming; a later one is the
 * event `error`. A client that leaves ends the call.
 */
export async function eventAnswer(
  context: RouteContext,
  run: (listening: Listening) => Promise<object>,
): Promise<Response> {
  const leaving = new AbortController();
  const encoder = new TextEncoder();
  let isOpen = true;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  // A few sentences and one answer: they are kept until they are read, however slowly.
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
    },
    cancel() {
      isOpen = false;
      leaving.abort();
    },
  });
  const send = (name: 'sentence' | 'answer' | 'error', data: object): void => {
    if (isOpen) controller?.enqueue(encoder.encode(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`));
  };

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
      (answer) => send('answer', answer),
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
      // Proxies that collect an answer before they pass it on would undo the streaming.
      'x-accel-buffering': 'no',
    },
  });
}
