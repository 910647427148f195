import { connect } from 'node:http2';
import type { GaugeSample, HistogramSnapshot, MetricsSnapshot } from '../metrics.js';
import type { Labels } from '../observer.js';
import { outsideRequests, type Span } from '../request-context.js';

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

/** The reporting service. */
export interface Resource {
  serviceName: string;
  serviceVersion: string;
  environment: string;
  /** Distinguishes several processes of the same service. */
  instanceId: string;
}

/** `ExportTraceServiceRequest`; the numbers are the field numbers of opentelemetry-proto 1.x. */
export function traceRequest(resource: Resource, spans: readonly Span[]): Uint8Array {
  return message(1, [resourceField(resource), message(2, [scope, ...spans.map(spanField)])]);
}

/** `ExportMetricsServiceRequest`, everything cumulative since the start of the process. */
export function metricsRequest(
  resource: Resource,
  { snapshot, gauges, started, now }: { snapshot: MetricsSnapshot; gauges: readonly GaugeSample[] } & Period,
): Uint8Array {
  const period = { started, now };
  const metrics = [
    ...byName(snapshot.counters).map(([name, series]) => {
      const points = series.map(({ labels, value }) => message(1, numberPoint(labels, value, period)));
      return metric(name, '1', message(7, [...points, whole(2, cumulative), whole(3, 1)]));
    }),
    ...byName(snapshot.histograms).map(([name, series]) => {
      const points = series.map((each) => message(1, histogramPoint(each, period)));
      return metric(name, 'ms', message(9, [...points, whole(2, cumulative)]));
    }),
    ...byName(gauges).map(([name, series]) => {
      const points = series.map(({ labels, value }) => message(1, numberPoint(labels, value, period)));
      return metric(name, '1', message(5, points));
    }),
  ];
  return message(1, [resourceField(resource), message(2, [scope, ...metrics])]);
}

interface Period {
  /** Milliseconds since 1970. */
  started: number;
  now: number;
}

const cumulative = 2;
const scope = message(1, [text(1, 'threadkeep')]);

function resourceField({ serviceName, serviceVersion, environment, instanceId }: Resource): Field {
  return message(1, [
    attribute(1, 'service.name', serviceName),
    attribute(1, 'service.version', serviceVersion),
    attribute(1, 'service.instance.id', instanceId),
    attribute(1, 'deployment.environment.name', environment),
  ]);
}

function spanField(span: Span): Field {
  return message(2, [
    bytes(1, Buffer.from(span.traceId, 'hex')),
    bytes(2, Buffer.from(span.spanId, 'hex')),
    ...(span.parentId === undefined ? [] : [bytes(4, Buffer.from(span.parentId, 'hex'))]),
    text(5, span.name),
    whole(6, span.kind === 'server' ? 2 : 1),
    fixed64(7, nanoseconds(span.start)),
    fixed64(8, nanoseconds(span.end)),
    ...Object.entries(span.labels).map(([key, value]) => attribute(9, key, value)),
    ...(span.failed ? [message(15, [whole(3, 2)])] : []),
  ]);
}

function metric(name: string, unit: string, data: Field): Field {
  return message(2, [text(1, name), text(3, unit), data]);
}

function numberPoint(labels: Labels, value: number, { started, now }: Period): Field[] {
  return [
    fixed64(2, nanoseconds(started)),
    fixed64(3, nanoseconds(now)),
    double(4, value),
    ...Object.entries(labels).map(([key, each]) => attribute(7, key, each)),
  ];
}

/** Our buckets are cumulative; OTLP wants separate counts, and one more beyond the last bound. */
function histogramPoint(series: HistogramSnapshot & { labels: Labels }, { started, now }: Period): Field[] {
  const below = series.buckets.map(({ count }) => count);
  const alone = [...below, series.count].map((count, index) => BigInt(count - (below[index - 1] ?? 0)));
  return [
    fixed64(2, nanoseconds(started)),
    fixed64(3, nanoseconds(now)),
    fixed64(4, BigInt(series.count)),
    double(5, series.sum),
    packedFixed64(6, alone),
    packedDoubles(
      7,
      series.buckets.map(({ le }) => le),
    ),
    ...Object.entries(series.labels).map(([key, value]) => attribute(9, key, value)),
  ];
}

function attribute(number: number, key: string, value: string): Field {
  return message(number, [text(1, key), message(2, [text(1, value)])]);
}

function byName<T extends { name: string }>(series: readonly T[]): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const each of series) groups.set(each.name, [...(groups.get(each.name) ?? []), each]);
  return [...groups];
}

function nanoseconds(milliseconds: number): bigint {
  return BigInt(Math.round(milliseconds * 1_000)) * 1_000n;
}

/** The subset of protobuf that OTLP needs: a message is the concatenation of its fields. */
type Field = Uint8Array;

function message(number: number, fields: readonly Field[]): Field {
  const body = Buffer.concat(fields);
  return Buffer.concat([tag(number, 2), varint(body.length), body]);
}

function text(number: number, value: string): Field {
  return bytes(number, Buffer.from(value, 'utf8'));
}

function bytes(number: number, value: Uint8Array): Field {
  return Buffer.concat([tag(number, 2), varint(value.length), value]);
}

/** An integer, enum or boolean. Negative numbers are not supported: we send none. */
function whole(number: number, value: number): Field {
  return Buffer.concat([tag(number, 0), varint(value)]);
}

function fixed64(number: number, value: bigint): Field {
  return Buffer.concat([tag(number, 1), sixtyFour(value)]);
}

function double(number: number, value: number): Field {
  return Buffer.concat([tag(number, 1), doubleBytes(value)]);
}

function packedFixed64(number: number, values: readonly bigint[]): Field {
  return bytes(number, Buffer.concat(values.map(sixtyFour)));
}

function packedDoubles(number: number, values: readonly number[]): Field {
  return bytes(number, Buffer.concat(values.map(doubleBytes)));
}

function tag(number: number, wireType: number): Uint8Array {
  return varint(number * 8 + wireType);
}

function varint(value: number): Uint8Array {
  const groups: number[] = [];
  let rest = value;
  while (rest >= 128) {
    groups.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return Uint8Array.from([...groups, rest]);
}

function sixtyFour(value: bigint): Buffer {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(BigInt.asUintN(64, value));
  return buffer;
}

function doubleBytes(value: number): Buffer {
  const buffer = Buffer.alloc(8);
  buffer.writeDoubleLE(value);
  return buffer;
}
