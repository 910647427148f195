import { markdownOf } from './markdown.js';
import { type ConversationPage, collect, named } from './page.js';

/**
 * claude.ai: what the person wrote is `[data-testid="user-message"]`, an answer is `.font-claude-response` (earlier
 * `.font-claude-message`). Around an answer lies `[data-is-streaming]`; one without an answer inside could not be read.
 */
export function readClaude(document: Document, address: URL): ConversationPage {
  const places = [...document.querySelectorAll(`${person}, ${answer}, [data-is-streaming]`)].filter(
    (place) => place.parentElement?.closest(answer) === null && !(isFrame(place) && place.querySelector(answer)),
  );
  return {
    ...named(titleOf(document), /\/chat\/([\w-]+)/.exec(address.pathname)?.[1]),
    ...collect(places.map((place) => ({ role: roleOf(place), text: textOf(place) }))),
    unfinished: document.querySelector('[data-is-streaming="true"]') !== null,
  };
}

const person = '[data-testid="user-message"]';
const answer = '.font-claude-response, .font-claude-message';

function isFrame(place: Element): boolean {
  return place.hasAttribute('data-is-streaming') && !place.matches(answer);
}

function roleOf(place: Element): 'user' | 'assistant' | undefined {
  if (place.matches(person)) return 'user';
  return place.matches(answer) ? 'assistant' : undefined;
}

/** An answer also shows its thinking and its tools; what was answered is in the Markdown parts. */
function textOf(place: Element): string {
  const parts = [...place.querySelectorAll('.standard-markdown, .progressive-markdown')].filter(
    (part) =>
      part.parentElement?.closest('.standard-markdown, .progressive-markdown, [data-testid*="thinking"]') === null,
  );
  return (parts.length > 0 ? parts : [place]).map(markdownOf).join('\n\n').trim();
}

function titleOf(document: Document): string | undefined {
  const shown = document.querySelector('[data-testid="chat-title-button"], [data-testid="chat-menu-trigger"]');
  if (shown?.textContent) return shown.textContent;
  const title = document.title.replace(/\s*[-–|]\s*Claude$/, '').replace(/^Claude$/, '');
  return title === '' ? undefined : title;
}
