import { outsideRequests } from '../request-context.js';
import type { Send } from './send.js';

export interface Exporter<Item> {
  /** Never throws, never waits. */
  add(item: Item): void;
  /** What the operator sees of it. */
  state(): ExporterState;
  close(): Promise<void>;
}

export interface ExporterState {
  exported: number;
  /** Left out because the queue was full or the collector refused them. */
  dropped: number;
  failures: number;
  /** The kind of the last failure, gone after a success. */
  error_type?: string;
}

interface ExporterParts<Item> {
  send: Send;
  encode: (items: readonly Item[]) => Uint8Array;
  /** Told of the first failure in a row. */
  onFailure: (error: unknown) => void;
  pauseMs: number;
}

const mostQueued = 4_096;
const mostAtOnce = 512;

/** Collects items and sends them behind the work, in bounded memory: what cannot be delivered is dropped and counted. */
export function createExporter<Item>({ send, encode, onFailure, pauseMs }: ExporterParts<Item>): Exporter<Item> {
  const queue: Item[] = [];
  const counts = { exported: 0, dropped: 0, failures: 0 };
  let failing: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;

  async function deliver(): Promise<void> {
    while (queue.length > 0) {
      const items = queue.splice(0, mostAtOnce);
      try {
        await send(encode(items));
        counts.exported += items.length;
        failing = undefined;
      } catch (error) {
        counts.failures += 1;
        counts.dropped += items.length;
        if (failing === undefined) onFailure(error);
        failing = error instanceof Error ? error.name : 'unknown';
        return;
      }
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    sending ??= outsideRequests(deliver).finally(() => {
      sending = undefined;
      if (queue.length > 0) schedule();
    });
    return sending;
  }

  function schedule(): void {
    timer ??= setTimeout(flush, pauseMs).unref();
  }

  return {
    add(item) {
      if (queue.length >= mostQueued) {
        counts.dropped += 1;
        return;
      }
      queue.push(item);
      if (queue.length >= mostAtOnce && sending === undefined) void flush();
      else schedule();
    },
    state: () => ({ ...counts, ...(failing === undefined ? {} : { error_type: failing }) }),
    async close() {
      await sending;
      await flush();
      clearTimeout(timer);
    },
  };
}
