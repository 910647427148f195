import type { Activity } from '../../src/operations/conversations/list.js';
import { post } from './api.js';
import { answerIn, useCall } from './use-call.js';

/** Every source there is. Asked only by those who want to choose: the service walks over every conversation for it. */
export function useSources(wanted: boolean): string[] {
  const called = useCall(String(wanted), async (signal) =>
    wanted ? (await post<Activity>('/memory/activity', {}, { signal })).days : undefined,
  );
  return [...new Set((answerIn(called) ?? []).map(({ source }) => source))].sort();
}
