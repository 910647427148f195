import { markdownOf } from './markdown.js';
import { type ConversationPage, collect, named } from './page.js';

/**
 * chatgpt.com: a turn is `[data-testid^="conversation-turn"]`, a message inside it carries `data-message-author-role`.
 * One answer may be several messages. A turn without a message is one that the page has not drawn.
 */
export function readChatGpt(document: Document, address: URL): ConversationPage {
  const turns = document.querySelectorAll('[data-testid^="conversation-turn"]');
  const places = turns.length > 0 ? [...turns].flatMap(messagesIn) : [...document.querySelectorAll(message)];
  return {
    // A custom GPT has its own folder in the address: /g/g-abc/c/ID.
    ...named(titleOf(document), /\/c\/([\w-]+)/.exec(address.pathname)?.[1]),
    ...collect(places.filter(isOfConversation).map((place) => ({ role: roleOf(place), text: textOf(place) }))),
    unfinished: document.querySelector('[data-testid="stop-button"], .result-streaming') !== null,
  };
}

const message = '[data-message-author-role]';

function messagesIn(turn: Element): Element[] {
  const messages = [...turn.querySelectorAll(message)];
  return messages.length > 0 ? messages : [turn];
}

/** Tool calls and system messages are not part of what was said. */
function isOfConversation(place: Element): boolean {
  const role = place.getAttribute('data-message-author-role');
  return role !== 'tool' && role !== 'system';
}

function roleOf(place: Element): 'user' | 'assistant' | undefined {
  const role = place.getAttribute('data-message-author-role');
  return role === 'user' || role === 'assistant' ? role : undefined;
}

function textOf(place: Element): string {
  const content = place.querySelectorAll('.markdown, .whitespace-pre-wrap');
  // Markdown may hold the other; only the outermost counts.
  const outermost = [...content].filter(
    (part) => part.parentElement?.closest('.markdown, .whitespace-pre-wrap') === null,
  );
  return (outermost.length > 0 ? outermost : [place]).map(markdownOf).join('\n\n').trim();
}

function titleOf(document: Document): string | undefined {
  const title = document.title.replace(/^ChatGPT\s*[-–|]\s*/, '').replace(/\s*[-–|]\s*ChatGPT$/, '');
  return title === 'ChatGPT' ? undefined : title;
}
