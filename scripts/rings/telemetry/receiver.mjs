// Receives OTLP over HTTP and over gRPC and decodes it with the protocol's official definitions, as OpenTelemetry's own
// package ships them. Installed beside the rings' other tools, not with the package.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../../ready.mjs';

const folder = join(root, 'node_modules', '.cache', 'telemetry-ring');
const pinned = { '@opentelemetry/otlp-transformer': '0.57.2', '@opentelemetry/api': '1.9.0', protobufjs: '7.5.4' };

function definitions() {
  const file = join(
    folder,
    'node_modules',
    '@opentelemetry',
    'otlp-transformer',
    'build',
    'src',
    'generated',
    'root.js',
  );
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: pinned }, null, 2));
    const options = ['install', '--no-audit', '--no-fund', '--loglevel=error'];
    const { status } = spawnSync('npm', options, { cwd: folder, stdio: ['ignore', 2, 2] });
    if (status !== 0) throw new Error('the definitions of OTLP could not be installed');
  }
  return createRequire(join(folder, 'package.json'))(file).opentelemetry.proto.collector;
}

export async function decodingReceiver() {
  const { trace, metrics } = definitions();
  const kinds = { traces: trace.v1.ExportTraceServiceRequest, metrics: metrics.v1.ExportMetricsServiceRequest };
  const received = { traces: [], metrics: [] };
  const take = (path, bytes) => {
    const kind = /trace/i.test(path) ? 'traces' : 'metrics';
    const { [kind]: type } = kinds;
    received[kind].push(type.toObject(type.decode(bytes), { longs: Number, bytes: Array, enums: Number }));
  };
  const http = createServer(async (request, response) => {
    take(request.url, await whole(request));
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  });
  const grpc = createHttp2Server();
  grpc.on('stream', async (stream, headers) => {
    const frame = await whole(stream);
    take(headers[':path'], frame.subarray(5, 5 + frame.readUInt32BE(1)));
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(Buffer.alloc(5));
  });
  for (const server of [http, grpc]) await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const at = (server) => `http://127.0.0.1:${server.address().port}`;
  return {
    endpoints: { 'http/protobuf': at(http), grpc: at(grpc) },
    received: () => ({ traces: [...received.traces], metrics: [...received.metrics] }),
    close: () => Promise.all([http, grpc].map((server) => new Promise((resolve) => server.close(resolve)))),
  };
}

async function whole(stream) {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}
