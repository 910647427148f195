import { ModelFailure } from './contract.js';

/** The data of each server-sent event, in order. Throws `malformed` when the stream is longer than `mostBytes`. */
export async function* eventsOf(body: ReadableStream<Uint8Array>, mostBytes: number): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let bytes = 0;
  let rest = '';
  let data: string[] = [];
  for await (const part of body) {
    bytes += part.byteLength;
    if (bytes > mostBytes) throw new ModelFailure('malformed');
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const text = line.endsWith('\r') ? line.slice(0, -1) : line;
      if (text === '') {
        if (data.length > 0) yield data.join('\n');
        data = [];
      } else if (text.startsWith('data:')) data.push(text.slice(text.startsWith('data: ') ? 6 : 5));
      // Comments are keep-alives; event names and ids are not used here.
    }
  }
}
