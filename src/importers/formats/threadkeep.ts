import type { MemoryStatus } from '../../model/conversation.js';
import type { JsonObject } from '../../model/json.js';
import type { Found, Importer } from '../contract.js';
import { limits } from '../limits.js';
import { jsonLines } from '../reading/json-lines.js';
import { list, object, present, type Shape, text } from '../reading/shape.js';

/** What `threadkeep export` writes. Facts are not read: they follow from the conversations. */
export const threadkeep: Importer = {
  name: 'threadkeep',
  label: 'Threadkeep',
  howTo: 'threadkeep export --output memory.jsonl; give that file',
  accepts: (path) => path.endsWith('.jsonl'),
  async *read(file) {
    for await (const line of jsonLines(file.read(), limits.lineBytes)) {
      const place = `${file.path} line ${line.number}`;
      if ('broken' in line) yield { kind: 'skipped', place, reason: line.broken };
      else if (object(line.value).type === 'conversation') yield found(object(object(line.value).conversation), place);
    }
  },
};

function found(conversation: Shape, place: string): Found {
  const messages = list(conversation.messages).flatMap((value) => {
    const { role, text: said } = object(value);
    return (role === 'user' || role === 'assistant') && typeof said === 'string' ? [{ role, text: said } as const] : [];
  });
  if (messages.length === 0) return { kind: 'skipped', place, reason: 'it has no messages' };
  const { memory_status: status, ...metadata } = object(conversation.metadata);
  return {
    kind: 'conversation',
    place,
    conversation: {
      source: text(conversation.source) ?? 'import',
      ...present({
        id: text(conversation.id),
        title: text(conversation.title),
        timestamp: text(conversation.timestamp),
      }),
      ...(status === 'pending_review' || status === 'rejected' ? { memoryStatus: status as MemoryStatus } : {}),
      messages,
      metadata: metadata as JsonObject,
    },
  };
}
