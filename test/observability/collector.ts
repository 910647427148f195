import { createServer } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Received {
  path: string;
  bytes: Buffer;
  fields: Field[];
}

/** A field as the wire has it: varints and 64-bit values as numbers, the rest as bytes. */
export interface Field {
  number: number;
  value: bigint | Buffer;
}

/** A collector for OTLP over HTTP that keeps what it is sent. */
export async function anHttpCollector(status = 200) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const bytes = Buffer.concat(parts);
    received.push({ path: request.url ?? '', bytes, fields: fieldsOf(bytes) });
    response.writeHead(status, { 'content-type': 'application/x-protobuf' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { received, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** The same over gRPC: messages in frames with a length, the outcome in the trailers. */
export async function aGrpcCollector(status = 0) {
  const received: Received[] = [];
  const server = createHttp2Server();
  server.on('stream', (stream, headers) => {
    const parts: Buffer[] = [];
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.on('end', () => {
      const frame = Buffer.concat(parts);
      const body = frame.subarray(5, 5 + frame.readUInt32BE(1));
      received.push({ path: String(headers[':path']), bytes: body, fields: fieldsOf(body) });
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': String(status) }));
      stream.end(Buffer.alloc(5));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  return { received, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** The messages at a path of field numbers. */
export function messagesAt(fields: readonly Field[], ...numbers: number[]): Field[][] {
  const [first, ...rest] = numbers;
  const here = fields.filter(({ number }) => number === first).map(({ value }) => fieldsOf(value as Buffer));
  return rest.length === 0 ? here : here.flatMap((each) => messagesAt(each, ...rest));
}

export function textAt(fields: readonly Field[], number: number): string {
  return String(fields.find((field) => field.number === number)?.value ?? '');
}

export function hexAt(fields: readonly Field[], number: number): string {
  const value = fields.find((field) => field.number === number)?.value;
  return Buffer.isBuffer(value) ? value.toString('hex') : '';
}

/** Attributes under a field number, as an object. */
export function attributesAt(fields: readonly Field[], number: number): Record<string, string> {
  return Object.fromEntries(
    messagesAt(fields, number).map((pair) => [textAt(pair, 1), textAt(messagesAt(pair, 2)[0] ?? [], 1)]),
  );
}

function fieldsOf(bytes: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++] ?? 0;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const number = tag >> 3;
    if ((tag & 7) === 0) fields.push({ number, value: varint() });
    else if ((tag & 7) === 1) {
      fields.push({ number, value: bytes.readBigUInt64LE(at) });
      at += 8;
    } else {
      const length = Number(varint());
      fields.push({ number, value: bytes.subarray(at, at + length) });
      at += length;
    }
  }
  return fields;
}
