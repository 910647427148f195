import { z } from 'zod';
import { flag, headerName, integer, number, oneOf, text, webAddress } from './formats.js';
import { key } from './keys.js';

const telemetry = (what: string) => ({
  enabled: key(flag, false, `Send ${what} to a collector.`),
  endpoint: key(webAddress, 'http://127.0.0.1:4318', 'The collector; one that speaks grpc usually listens on 4317.'),
  protocol: key(oneOf('grpc', 'http/protobuf'), 'http/protobuf', 'What the collector speaks.'),
});

export const observability = z
  .strictObject({
    service_name: key(text, 'threadkeep', 'The name under which this service reports.'),
    environment: key(text, 'local', 'The environment under which this service reports.'),
    log_level: key(oneOf('debug', 'info', 'warn', 'error'), 'info', 'The least important lines that are logged.'),
    log_format: key(oneOf('text', 'json'), 'text', 'How a log line is written.'),
    access_logs: key(flag, true, 'Log one line for each request.'),
    request_id_header: key(headerName, 'x-request-id', 'The header that carries the request id, in lower case.'),
    include_stack_traces: key(flag, true, 'Log the stack of an unexpected failure; answers never carry one.'),
    debug_payloads: key(
      flag,
      false,
      'Log payloads too. They hold what people said, secrets included: for hunting a fault on your own machine only.',
    ),
    embedding_readiness_probe: key(flag, false, 'Let /ready make a real embedding call.'),
    tracing: z
      .strictObject({
        ...telemetry('traces'),
        sample_ratio: key(number(0, 1), 1, 'The share of requests that is traced.'),
      })
      .prefault({}),
    metrics: z
      .strictObject({
        ...telemetry('metrics'),
        interval_seconds: key(integer(1, 3_600), 60, 'How often the metrics are sent.'),
      })
      .prefault({}),
  })
  .prefault({})
  .describe('Logs, traces and metrics.');
