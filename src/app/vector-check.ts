import { randomUUID } from 'node:crypto';
import { activeVectorSettings } from '../config/active.js';
import type { Config } from '../config/schema.js';
import { StartupError } from '../model/errors.js';
import { loadPackage } from '../stores/shared/load-package.js';
import { ShapeMismatch, type VectorDriver, type VectorStore } from '../stores/vector/contract.js';
import { vectorDrivers } from '../stores/vector/drivers.js';
import { guardedVectors } from '../stores/vector/wrappers.js';
import { guardDependencies } from './dependencies.js';
import { addressOf, createVectors, placeOf, reach, requireDistance, vectorPath } from './open-vectors.js';

export const checkSteps = [
  'reach',
  'package',
  'authenticate',
  'collection',
  'dimension',
  'write',
  'read back',
  'filter',
  'delete',
] as const;

type StepName = (typeof checkSteps)[number];

export interface CheckedStep {
  step: StepName;
  outcome: 'ok' | 'failed' | 'skipped';
  milliseconds?: number;
  /** Our own description: the service's message may repeat what was sent to it. */
  problem?: string;
}

/** Tests the configured vector store step by step. Writes one test point and removes it; a dry run skips that. */
export async function checkVectorStore(config: Config): Promise<CheckedStep[]> {
  const active = activeVectorSettings(config);
  const driver: VectorDriver = vectorDrivers[config.providers.vectorDb];
  const steps: CheckedStep[] = [];
  const record = async (step: StepName, work: () => Promise<unknown>): Promise<boolean> => {
    const start = performance.now();
    const error = await outcomeOf(work);
    const milliseconds = Math.round((performance.now() - start) * 10) / 10;
    if (error === undefined) steps.push({ step, outcome: 'ok', milliseconds });
    else steps.push({ step: stepOf(step, error), outcome: 'failed', milliseconds, problem: problemOf(error, place) });
    return error === undefined;
  };

  const address = driver.embedded ? undefined : addressOf(active.settings);
  const place = address === undefined ? '' : placeOf(active.settings);
  if (address !== undefined && !(await record('reach', () => reach(address)))) return completed(steps);
  const { needs } = driver;
  if (needs !== undefined && !(await record('package', () => loadPackage(needs)))) return completed(steps);
  if (config.storage.dryRun) return completed(steps);
  const raw = createVectors(active, vectorPath(config));
  const store = guardedVectors(raw, guardDependencies(config).vectors, {
    timeoutMs: config.storage.timeoutMs,
    embedded: driver.embedded === true,
  });
  try {
    const shape = { dimension: config.providers.embeddingDimension, distance: config.storage.vector.distance };
    const opened = await record('collection', async () => {
      requireDistance(driver, shape.distance);
      await store.open(shape);
    });
    if (!opened) return completed(steps);
    for (const step of ['authenticate', 'dimension'] as const) steps.push({ step, outcome: 'ok' });
    await tryPoint(store, { dimension: shape.dimension, record });
    return completed(steps);
  } finally {
    await store.close();
  }
}

async function tryPoint(
  store: VectorStore,
  {
    dimension,
    record,
  }: { dimension: number; record: (step: StepName, work: () => Promise<unknown>) => Promise<boolean> },
): Promise<void> {
  const id = randomUUID();
  const scope = `threadkeep:storage-check:${id}`;
  const vector = new Float32Array(dimension).fill(1 / Math.sqrt(dimension));
  const ids = async (where: { scopes: string[]; conversationIds?: string[] }) =>
    (await store.search(vector, { limit: 5, where })).map((hit) => hit.id).join();
  const expected = async (found: Promise<string>, wanted: string) => {
    if ((await found) !== wanted) throw new Error('The store returned other points than it holds.');
  };
  const written = await record('write', () => store.upsert([{ id, vector, scope, conversationId: id }]));
  if (!written) return;
  await record('read back', () => expected(ids({ scopes: [scope] }), id));
  await record('filter', async () => {
    await expected(ids({ scopes: [`${scope}:other`] }), '');
    await expected(ids({ scopes: [scope], conversationIds: [scope] }), '');
    await expected(ids({ scopes: [scope], conversationIds: [id] }), id);
  });
  await record('delete', async () => {
    await store.remove([id]);
    await expected(ids({ scopes: [scope] }), '');
  });
}

async function outcomeOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work();
    return undefined;
  } catch (error) {
    // The failure is the result.
    return error ?? new Error('unknown');
  }
}

/** Opening a store takes several steps at once; its error tells which of them failed. */
function stepOf(step: StepName, error: unknown): StepName {
  if (step !== 'collection') return step;
  if (error instanceof ShapeMismatch) return 'dimension';
  return isRefusal(error) ? 'authenticate' : 'collection';
}

/** HTTP 401 and 403, PostgreSQL class 28, MongoDB 18 and 13, gRPC 16 and 7, Redis error prefixes. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, status, statusCode, httpStatus, meta } = error as Error & Record<string, unknown>;
  const numbers = [status, statusCode, httpStatus, code, (meta as { statusCode?: unknown } | undefined)?.statusCode];
  if (numbers.some((each) => each === 401 || each === 403 || each === 18 || each === 13 || each === 16)) return true;
  if (typeof code === 'string' && code.startsWith('28')) return true;
  const words = /NOAUTH|WRONGPASS|NOPERM|Unauthori[sz]ed|Forbidden|Authentication|PineconeAuthorization|RequestUnauth/i;
  return words.test(`${error.name} ${error.message}`) || isRefusal(error.cause);
}

function problemOf(error: unknown, place: string): string {
  if (error instanceof StartupError) return [error.message, error.hint].filter(Boolean).join(' ');
  if (error instanceof ShapeMismatch) return `${error.message} Run \`threadkeep reindex\`.`;
  if (isRefusal(error)) return 'The service rejected the configured credentials.';
  if (!(error instanceof Error)) return 'It failed.';
  const { code, status, statusCode } = error as Error & Record<string, unknown>;
  const detail = [code, status, statusCode].find((each) => typeof each === 'string' || typeof each === 'number');
  return `It failed with ${error.name}${detail === undefined ? '' : ` ${String(detail)}`}${place}; run with --verbose for details.`;
}

/** All steps in order, including those that were not tried. */
function completed(done: readonly CheckedStep[]): CheckedStep[] {
  return checkSteps.map((step) => done.find((each) => each.step === step) ?? { step, outcome: 'skipped' });
}
