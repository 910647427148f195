import type { Steps } from '../model/steps.js';
import type { Observer } from './observer.js';

/** Runs a stage and reports its duration, also when it fails. */
export function stage<T>(observer: Observer, name: string, run: () => T): T {
  const started = performance.now();
  try {
    return run();
  } finally {
    observer.duration('memory_ingestion_stage_duration_ms', performance.now() - started, { stage: name });
  }
}

/** The same for work in steps; time spent in other work between steps is not counted. */
export function* stageInSteps<T>(observer: Observer, name: string, steps: Steps<T>): Steps<T> {
  let took = 0;
  try {
    for (;;) {
      const started = performance.now();
      const step = steps.next();
      took += performance.now() - started;
      if (step.done) return step.value;
      yield;
    }
  } finally {
    observer.duration('memory_ingestion_stage_duration_ms', took, { stage: name });
  }
}

/** The same for work that has already started. */
export async function timed<T>(observer: Observer, name: string, work: Promise<T>): Promise<T> {
  const started = performance.now();
  try {
    return await work;
  } finally {
    observer.duration('memory_ingestion_stage_duration_ms', performance.now() - started, { stage: name });
  }
}
