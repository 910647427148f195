import type { Call } from '../operations/operation.js';
import type { Service } from '../operations/service.js';
import { operations } from '../operations/table.js';
import { resourceUris } from './resource-uri.js';
import type { Completing } from './surface.js';

/** What can be suggested for what: an argument of a prompt or a variable of a template. Free text gets nothing. */
const sources: Readonly<Record<string, 'id' | 'day' | readonly string[]>> = {
  [`resource ${resourceUris.conversation} id`]: 'id',
  [`resource ${resourceUris.timeline} day`]: 'day',
  'prompt summarize_conversation id': 'id',
  'prompt ask_memory top_k': ['5', '10', '20'],
};

export async function complete(
  service: Service,
  call: Call,
  { kind, of, argument, value }: Completing,
): Promise<{ values: string[]; more: boolean }> {
  const source = sources[`${kind} ${of} ${argument}`] ?? [];
  if (typeof source !== 'string') return { values: source.filter((each) => each.startsWith(value)), more: false };
  const { values, more } = await operations.suggest.execute(service, call, {
    kind: source,
    prefix: value.slice(0, 64),
  });
  return { values, more };
}
