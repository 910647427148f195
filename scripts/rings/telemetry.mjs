// Telemetry as others read it: what the real server sends over OTLP, by HTTP and gRPC, is decoded with the official
// definitions of the protocol and compared name by name with what we promise; `/metrics` is read by Prometheus' own parser.
// `--collector` lets the official collector receive it instead (scripts/services/otelcol.sh builds that; it takes minutes).
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeReady, root } from '../ready.mjs';
import { missingIn } from './telemetry/promises.mjs';
import { decodingReceiver } from './telemetry/receiver.mjs';
import { beBusy, startServer } from './telemetry/traffic.mjs';

makeReady();
const faults = [];
const collector = process.argv.includes('--collector') ? realCollector() : undefined;
try {
  for (const protocol of ['http/protobuf', 'grpc']) faults.push(...(await overOtlp(protocol)));
  faults.push(...(await asPrometheus()));
} finally {
  collector?.stop();
}
for (const fault of faults) console.error(`FAULT ${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;

/** A healthy server and one in trouble, so that failures and the fallback are told too. */
async function overOtlp(protocol) {
  const receiver = collector ?? (await decodingReceiver());
  const before = receiver.received();
  for (const troubled of [false, true]) {
    const server = await startServer({ protocol, endpoint: receiver.endpoints[protocol], troubled });
    await beBusy(server.url);
    // What is left is sent while it stops.
    await server.stop();
  }
  const sent = await settled(receiver, before);
  await receiver.close?.();
  const { faults: found, names, spans } = missingIn(sent);
  const by = collector === undefined ? 'the official definitions' : 'the collector';
  console.log(`${protocol}: ${names} metrics with their types, units and labels and ${spans} spans were read by ${by}`);
  return found.map((fault) => `${protocol}: ${fault}`);
}

/** What arrived since then, once nothing more does. */
async function settled(receiver, before) {
  for (let last = -1; ; ) {
    const { traces, metrics } = receiver.received();
    const size = traces.length + metrics.length;
    if (size === last)
      return { traces: traces.slice(before.traces.length), metrics: metrics.slice(before.metrics.length) };
    last = size;
    await new Promise((resolve) => setTimeout(resolve, collector === undefined ? 50 : 1_500));
  }
}

function realCollector() {
  const script = join(root, 'scripts', 'services', 'otelcol.sh');
  const up = spawnSync(script, ['up'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const [http, grpc, file] = up.stdout.trim().split('\n').at(-1).split(' ');
  if (up.status !== 0) throw new Error('the collector could not be started');
  const read = () => {
    try {
      return readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    } catch {
      // It appears with the first that arrives.
      return [];
    }
  };
  return {
    endpoints: { 'http/protobuf': http, grpc },
    received: () => {
      const lines = read();
      return {
        traces: lines.filter((line) => line.resourceSpans !== undefined),
        metrics: lines.filter((line) => line.resourceMetrics !== undefined),
      };
    },
    stop: () => spawnSync(script, ['down'], { stdio: 'inherit' }),
  };
}

/** Its lint does not like the unit in our names, which the interface has fixed; anything else is a fault. */
async function asPrometheus() {
  if (spawnSync('promtool', ['--version']).error !== undefined) {
    spawnSync('sh', ['-c', 'apt-get update -qq && apt-get install -y -qq --no-install-recommends prometheus'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  const server = await startServer({ troubled: true });
  await beBusy(server.url);
  const text = await (await fetch(`${server.url}/metrics`)).text();
  await server.stop();
  const { status, stdout, stderr, error } = spawnSync('promtool', ['check', 'metrics'], {
    input: text,
    encoding: 'utf8',
  });
  if (error !== undefined) return ['promtool could not be had'];
  const said = `${stdout}${stderr}`.split('\n').filter((line) => line !== '');
  const other = said.filter((line) => !/_ms metric names should not contain abbreviated units$/.test(line));
  const families = text.match(/^# TYPE /gm)?.length ?? 0;
  console.log(
    `promtool: ${families} families of /metrics are accepted (exit ${status}, ${said.length} notes on units)`,
  );
  return other.map((line) => `promtool: ${line}`);
}
