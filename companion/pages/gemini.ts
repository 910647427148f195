import { markdownOf } from './markdown.js';
import { type ConversationPage, collect, named } from './page.js';

/**
 * gemini.google.com: `user-query` and `model-response` elements in turn. What the person wrote is one
 * `.query-text-line` per line; the answer is the `.markdown` in `message-content`.
 */
export function readGemini(document: Document, address: URL): ConversationPage {
  const places = [...document.querySelectorAll('user-query, model-response')];
  return {
    // A Gem has its own folder in the address: /gem/NAME/ID.
    ...named(titleOf(document), /\/(?:app|gem\/[^/]+)\/([\w-]+)/.exec(address.pathname)?.[1]),
    ...collect(
      places.map((place) =>
        place.localName === 'user-query'
          ? { role: 'user' as const, text: questionIn(place) }
          : { role: 'assistant' as const, text: answerIn(place) },
      ),
    ),
    unfinished: document.querySelector('model-response .markdown[aria-busy="true"]') !== null,
  };
}

function questionIn(place: Element): string {
  const lines = [...place.querySelectorAll('.query-text-line')];
  if (lines.length > 0)
    return lines
      .map((line) => (line.textContent ?? '').trimEnd())
      .join('\n')
      .trim();
  const whole = place.querySelector('.query-text');
  return whole === null ? '' : markdownOf(whole);
}

/** The thoughts have a `message-content` of their own, inside `model-thoughts`. */
function answerIn(place: Element): string {
  const parts = [...place.querySelectorAll('message-content')].filter(
    (part) => part.closest('model-thoughts') === null,
  );
  return parts
    .map((part) => markdownOf(part.querySelector('.markdown') ?? part))
    .join('\n\n')
    .trim();
}

function titleOf(document: Document): string | undefined {
  const shown =
    document.querySelector('[data-test-id="conversation-title"]') ??
    document.querySelector('[data-test-id="conversation"].selected .conversation-title');
  if (shown?.textContent) return shown.textContent;
  const title = document.title
    .replace(/^(?:Google )?Gemini\s*[-–|]\s*/, '')
    .replace(/\s*[-–|]\s*(?:Google )?Gemini$/, '');
  return /^(?:Google )?Gemini$/.test(title) ? undefined : title;
}
