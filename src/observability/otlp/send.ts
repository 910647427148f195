import { connect } from 'node:http2';

export type Protocol = 'grpc' | 'http/protobuf';
export type Signal = 'traces' | 'metrics';

/** Delivers one request or throws. The error says what the collector answered, never what was sent. */
export type Send = (request: Uint8Array) => Promise<void>;

const patience = 10_000;

const services: Record<Signal, string> = {
  traces: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
  metrics: '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export',
};

export function senderFor(signal: Signal, { endpoint, protocol }: { endpoint: string; protocol: Protocol }): Send {
  return protocol === 'grpc' ? overGrpc(endpoint, services[signal]) : overHttp(endpoint, signal);
}

/** The endpoint is the collector's address; an address that names the signal already is taken as it is. */
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

/** One unary call of gRPC over HTTP/2: a flag byte, the length, the message; the outcome is in the trailers. */
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
