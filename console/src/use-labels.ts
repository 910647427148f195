import { useRef } from 'preact/hooks';
import type { Activity, Label } from '../../src/operations/conversations/list.js';
import { post } from './api.js';
import { useChanges } from './changes.js';
import { answerIn, useCall } from './use-call.js';

/** Every source, tag, topic and thread of a project with its counts. The service walks over every conversation for it. */
export function useLabels(filters: { project_id?: string; memory_status?: string } = {}): {
  labels: readonly Label[] | undefined;
  error?: Error;
  reload: () => void;
} {
  const called = useCall(JSON.stringify(filters), (signal) =>
    post<Activity>('/memory/activity', { ...filters, labels: true }, { signal }),
  );
  useChanges(called.reload);
  const none = useRef<Label[]>([]);
  const answer = answerIn(called);
  const labels = answer === undefined ? undefined : (answer.labels ?? none.current);
  return { labels, reload: called.reload, ...(called.kind === 'failed' ? { error: called.error } : {}) };
}
