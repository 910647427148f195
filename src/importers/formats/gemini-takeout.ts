import type { Found, Importer } from '../contract.js';
import { limits } from '../limits.js';
import { plainText } from '../reading/html.js';
import { jsonElements } from '../reading/json-elements.js';
import { joined, list, object, present, type Shape, saidAt, text, time } from '../reading/shape.js';

/** Google Takeout, "My Activity" for Gemini Apps as JSON: one entry for each prompt, with its answer as HTML. */
export const geminiTakeout: Importer = {
  name: 'gemini-takeout',
  label: 'Gemini (Google Takeout)',
  howTo: 'takeout.google.com > My Activity > Gemini Apps, format JSON; give the zip',
  accepts: (path) => /Gemini[^/]*\/My ?Activity\.json$/i.test(path) || /(^|\/)My ?Activity\.json$/i.test(path),
  async *read(file) {
    for await (const element of jsonElements(file.read(), limits.elementBytes)) {
      const place = `${file.path} entry ${element.index + 1}`;
      yield 'broken' in element
        ? { kind: 'skipped', place, reason: element.broken }
        : found(object(element.value), place);
    }
  },
};

/** The activity of every Google product has a file of this name. One that names no product is taken at the person's word. */
function isOfGemini({ header, products }: Shape): boolean {
  const names = [header, ...list(products)].flatMap((name) => text(name) ?? []);
  return names.length === 0 || names.some((name) => /gemini|bard/i.test(name));
}

function found(entry: Shape, place: string): Found {
  if (!isOfGemini(entry)) return { kind: 'skipped', place, reason: 'it is of another product of Google' };
  const title = text(entry.title) ?? '';
  const answered = plainText(joined(list(entry.safeHtmlItem).map((item) => text(object(item).html))));
  const known = /^(?:Prompted|Asked|Said|Prompt:?|Eingegebener Prompt:?|Frage:?|Gefragt:?)\s+(.*)$/s.exec(title)?.[1];
  // The word before the prompt is in the language of the account; what has an answer was asked, whatever the word.
  const asked = known ?? (answered === '' ? undefined : text(title));
  if (asked === undefined) return { kind: 'skipped', place, reason: 'it is no prompt' };
  const files = [...list(entry.attachedFiles), ...list(entry.imageFile)].map((name) => `[file: ${String(name)}]`);
  return {
    kind: 'conversation',
    place,
    conversation: {
      source: 'gemini',
      ...present({ timestamp: time(entry.time) }),
      messages: [
        { role: 'user', text: joined([asked, ...files]), ...saidAt(entry.time) },
        ...(answered === '' ? [] : [{ role: 'assistant' as const, text: answered, ...saidAt(entry.time) }]),
      ],
      metadata: { importer: 'gemini-takeout', platform: 'gemini' },
    },
  };
}
