import { isObject } from '../model/json.js';

/** A stream of events as the one JSON answer it holds, for a client that accepts nothing else. */
export async function asJson(response: Response): Promise<Response> {
  if (response.headers.get('content-type') !== 'text/event-stream') return response;
  const headers = new Headers(response.headers);
  headers.set('content-type', 'application/json');
  return new Response(answerIn(await response.text()), { status: response.status, headers });
}

/** Notifications before the answer are left out: a single JSON body has no place for them. */
function answerIn(events: string): string | null {
  const messages = events
    .split('\n')
    .flatMap((line) => (line.startsWith('data: ') ? [line.slice('data: '.length)] : []));
  return messages.find((text) => isAnswer(JSON.parse(text))) ?? null;
}

function isAnswer(message: unknown): boolean {
  return isObject(message) && ('result' in message || 'error' in message);
}

/** The other way round, for a client that reads streams. A failure keeps its own status and body. */
export async function asStream(response: Response): Promise<Response> {
  if (response.status !== 200 || response.headers.get('content-type') !== 'application/json') return response;
  const headers = new Headers(response.headers);
  headers.set('content-type', 'text/event-stream');
  headers.set('cache-control', 'no-cache, no-transform');
  return new Response(`event: message\ndata: ${await response.text()}\n\n`, { headers });
}
