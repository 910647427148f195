import { createDocuments } from '../reading/documents.js';
import { list, object, type Shape, text, time } from '../reading/shape.js';

type Documents = ReturnType<typeof createDocuments>;

/** What a node of a chat did to a canvas: nothing, made it, or changed it. */
export type CanvasWork = 'none' | 'made' | 'changed';

/**
 * Canvas documents are made and changed by messages to the tool `canmore`, whose JSON is the document or its changes. The
 * answer of the tool names the document.
 */
export function createCanvas() {
  const documents = createDocuments();
  return {
    take(id: string, message: Shape, answer: Shape): CanvasWork {
      const recipient = text(message.recipient) ?? '';
      if (!recipient.startsWith('canmore.')) return 'none';
      const call = callOf(object(message.content));
      const textdoc = text(object(object(answer.metadata).canvas).textdoc_id);
      const at = time(message.create_time);
      if (recipient === 'canmore.create_textdoc' && text(call.content) !== undefined) {
        const content = String(call.content);
        const isNew = documents.write({
          id: textdoc ?? id,
          title: text(call.name),
          content,
          timestamp: at,
          messageId: id,
        });
        return isNew ? 'made' : 'changed';
      }
      if (recipient !== 'canmore.update_textdoc') return 'none';
      const target = textdoc ?? documents.last()?.id;
      if (target === undefined) return 'none';
      const changes = list(call.updates).map(object);
      return changes.map((change) => apply(documents, target, change, at)).some(Boolean) ? 'changed' : 'none';
    },
    all: documents.all,
  };
}

/** `.*` replaces the whole; other patterns are Python's, of which only plain text is followed. */
function apply(documents: Documents, id: string, change: Shape, at: string | undefined): boolean {
  const pattern = text(change.pattern) ?? '';
  const now = typeof change.replacement === 'string' ? change.replacement : '';
  if (/^(\(\?s\))?\^?\.[*+]\$?$/.test(pattern)) {
    documents.write({ id, title: undefined, content: now, timestamp: at, messageId: undefined });
    return true;
  }
  return documents.edit(id, { old: plainPattern(pattern), now, all: change.multiple === true, at });
}

/** The text that a pattern without signs of its own finds; empty for every other one. */
function plainPattern(pattern: string): string {
  const plain = pattern.replace(/\\([^A-Za-z0-9])/g, '$1');
  const signs = pattern.replace(/\\[^A-Za-z0-9]/g, '');
  return /[\\^$.|?*+()[\]{}]/.test(signs) ? '' : plain;
}

function callOf(content: Shape): Shape {
  const written = text(content.text) ?? text(list(content.parts)[0]);
  if (written === undefined) return {};
  try {
    return object(JSON.parse(written));
  } catch {
    // An answer that was stopped leaves half a call.
    return {};
  }
}
