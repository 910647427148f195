import { ModelFailure } from './contract.js';

/** The data of each server-sent event, in order. Throws `malformed` when the stream is longer than `mostBytes`. */
export async function* eventsOf(body: ReadableStream<Uint8Array>, mostBytes: number): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let bytes = 0;
  /** The line that has not ended, in the pieces it came in: joined once, or each piece would read all before it again. */
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
