import { connect } from 'node:http2';
import { outsideRequests } from '../request-context.js';

interface Exporter<Item> {
  /** Never throws or blocks. */
  add(item: Item): void;
  /** The exporter's state, for operators. */
  state(): ExporterState;
  close(): Promise<void>;
}

export interface ExporterState {
  exported: number;
  /** Items dropped because the queue was full or the collector rejected them. */
  dropped: number;
  failures: number;
  /** The kind of the last failure, cleared by a success. */
  error_type?: string;
}

interface ExporterParts<Item> {
  send: Send;
  encode: (items: readonly Item[]) => Uint8Array;
  /** Called for the first of consecutive failures. */
  onFailure: (error: unknown) => void;
  pauseMs: number;
}

const mostQueued = 4_096;
const mostAtOnce = 512;

/** Queues items and sends them in the background, in bounded memory: undeliverable items are dropped and counted. */
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

export type Protocol = 'grpc' | 'http/protobuf';
type Signal = 'traces' | 'metrics';

/** Delivers one request or throws. The error contains the collector's answer, never what was sent. */
export type Send = (request: Uint8Array) => Promise<void>;

const patience = 10_000;

const services: Record<Signal, string> = {
  traces: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
  metrics: '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export',
};

export function senderFor(signal: Signal, { endpoint, protocol }: { endpoint: string; protocol: Protocol }): Send {
  return protocol === 'grpc' ? overGrpc(endpoint, services[signal]) : overHttp(endpoint, signal);
}

/** Appends the signal's path to the collector's URL unless it already has one. */
function overHttp(endpoint: string, signal: Signal): Send {
  const base = endpoint.replace(/\/+$/, '');
  const url = base.endsWith(`/v1/${signal}`) ? base : `${base}/v1/${signal}`;
  return async (request) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-protobuf' },
      body: request as Uint8Array<ArrayBuffer>,
      signal: AbortSignal.timeout(patience),
    });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`the collector answered ${answer.status}`);
  };
}

/** One unary gRPC call over HTTP/2: a flag byte, the length, the message; the status is in the trailers. */
function overGrpc(endpoint: string, path: string): Send {
  return (request) =>
    new Promise((resolve, reject) => {
      const session = connect(endpoint);
      const timer = setTimeout(() => fail(new Error('the collector did not answer in time')), patience);
      timer.unref();
      const finish = (): void => {
        clearTimeout(timer);
        session.close();
      };
      const fail = (error: Error): void => {
        clearTimeout(timer);
        session.destroy();
        reject(error);
      };
      session.once('error', fail);
      const call = session.request({
        ':method': 'POST',
        ':path': path,
        'content-type': 'application/grpc',
        te: 'trailers',
      });
      let status: string | undefined;
      const note = (headers: Record<string, unknown>): void => {
        if (headers['grpc-status'] !== undefined) status = String(headers['grpc-status']);
        else if (headers[':status'] !== undefined && headers[':status'] !== 200) status = `http ${headers[':status']}`;
      };
      call.on('response', note).on('trailers', note).once('error', fail);
      call.once('close', () => {
        if (status !== '0') return fail(new Error(`the collector answered with status ${status ?? 'unknown'}`));
        finish();
        resolve();
      });
      call.resume();
      const head = Buffer.alloc(5);
      head.writeUInt32BE(request.length, 1);
      call.end(Buffer.concat([head, request]));
    });
}
