import type { GaugeSample } from '../observability/metrics.js';
import type { HealthMode } from './health.js';
import type { Runtime } from './open-runtime.js';
import { within } from './within.js';

const modes: readonly HealthMode[] = ['ok', 'degraded', 'dry-run'];

/** The state of the service in numbers. A store that does not answer costs its own gauge and nothing else. */
export async function readGauges({ service, health, vectors, dependencies }: Runtime): Promise<GaugeSample[]> {
  const { deep, tagging, encoding } = service;
  const [rows, pending, encoded] = await Promise.all([
    numberOr(vectors.store.count()),
    numberOr(service.records.chunks.countInState('pending')),
    deep === undefined ? undefined : numberOr(service.records.messageVectors.count(deep.model)),
  ]);
  const tokenizer = health.report().health.tokenizer;
  return [
    ...modes.map((mode): GaugeSample => {
      return { name: 'memory_health_mode', labels: { mode }, value: mode === health.mode() ? 1 : 0 };
    }),
    { name: 'memory_tokenizer_enabled', labels: {}, value: tokenizer.tokenizer_used === tokenizer.encoding ? 1 : 0 },
    { name: 'memory_queued_chunks', labels: {}, value: service.vectors.waiting() },
    ...Object.entries(dependencies.state()).map(([dependency, { circuit }]): GaugeSample => {
      return { name: 'memory_circuit_open', labels: { dependency }, value: circuit === 'closed' ? 0 : 1 };
    }),
    ...sample('memory_vector_rows', rows, { provider: vectors.provider }),
    ...sample('memory_pending_chunks', pending, {}),
    ...sample('memory_waiting_conversations', tagging?.waiting(), { work: 'tagging' }),
    ...sample('memory_waiting_conversations', encoding?.waiting(), { work: 'encoding' }),
    ...sample('memory_encoded_conversations', encoded, {}),
  ];
}

function sample(name: GaugeSample['name'], value: number | undefined, labels: GaugeSample['labels']): GaugeSample[] {
  return value === undefined ? [] : [{ name, labels, value }];
}

/** Whoever collects gauges has little time; one that comes late is left out. */
const patience = 2_000;

async function numberOr(asking: Promise<number>): Promise<number | undefined> {
  // The failure is in /ready and in the log of whoever needed the store; a gauge is left out rather than made up.
  return within(patience, asking).catch(() => undefined);
}
