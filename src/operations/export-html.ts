import { finished, type Steps } from '../model/steps.js';
import type { ConversationOutput } from './present.js';

/*
 * Conversations as one self-contained HTML page to read, print or share. It runs no script: all text is escaped, and
 * the policy in its head forbids everything but its own style. The console uses the same functions.
 */

type Shown = Pick<ConversationOutput, 'id' | 'source' | 'title' | 'timestamp' | 'messages'> & {
  metadata: Readonly<Record<string, unknown>>;
};

/** The texts of the page, so that a caller can translate them. */
export interface HtmlWords {
  lang: string;
  user: string;
  assistant: string;
  untitled: string;
}

const english: HtmlWords = { lang: 'en', user: 'User', assistant: 'Assistant', untitled: 'Untitled' };

const style = `
:root { color-scheme: light dark; }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
article { margin-bottom: 3rem; }
h2 { margin-bottom: 0; line-height: 1.25; }
h3 { font-size: 0.9rem; margin: 1.4rem 0 0.2rem; }
.about { opacity: 0.75; font-size: 0.85rem; margin: 0.2rem 0; }
.text { white-space: pre-wrap; margin: 0; }
pre { white-space: pre-wrap; padding: 0.7rem; border: 1px solid #8886; border-radius: 6px; font-size: 0.88rem; }
@media print { body { max-width: none; margin: 0; font-size: 11pt; } article + article { break-before: page; } h3 { break-after: avoid; } }
`;

/** For a content security policy. Written down, because the console has no function that computes it without waiting. */
export const styleSource = "'sha256-CUvPDC2Ia4yP7OknjTctGpcDmS6uUiFOQHbcLiATfXE='";

export function htmlBegin(title: string, { lang }: HtmlWords = english): string {
  return `<!doctype html>
<html lang="${escaped(lang)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${styleSource}; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
`;
}

export const htmlEnd = '</main>\n</body>\n</html>\n';

export function htmlOf(conversation: Shown, words: HtmlWords = english): string {
  return finished(writingHtml(conversation, words));
}

/** The same in steps: a message may have a megabyte. */
export function* writingHtml(conversation: Shown, words: HtmlWords = english): Steps<string> {
  const { id, title, source, timestamp, messages = [], metadata } = conversation;
  const tags = Array.isArray(metadata.tags) ? metadata.tags.map((tag) => ` · #${escaped(String(tag))}`) : [];
  const turns: string[] = [];
  for (const { role, text, timestamp: said } of messages) {
    const when = said === undefined ? '' : ` <span class="about">${timeOf(said)}</span>`;
    const speaker = escaped(role === 'user' ? words.user : words.assistant);
    turns.push(`<section>\n<h3>${speaker}${when}</h3>\n${yield* writingBody(text)}</section>\n`);
    yield;
  }
  return `<article id="${escaped(id)}">
<h2>${escaped(title ?? words.untitled)}</h2>
<p class="about">${escaped(source)} · ${timeOf(timestamp)}${tags.join('')}</p>
${turns.join('')}</article>
`;
}

function timeOf(time: string): string {
  const shown = time.slice(0, 16).replace('T', ' ');
  return `<time datetime="${escaped(time)}">${escaped(shown)}</time>`;
}

/** Shows fenced code in boxes and everything else verbatim, line by line. */
function* writingBody(text: string): Steps<string> {
  const parts: { isCode: boolean; lines: string[] }[] = [];
  let fence: string | undefined;
  for (const [place, line] of text.split('\n').entries()) {
    if (place % linesAtOnce === linesAtOnce - 1) yield;
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined && mark !== undefined) {
      fence = mark;
      parts.push({ isCode: true, lines: [] });
    } else if (fence !== undefined && mark?.startsWith(fence) && line.trim() === mark) {
      fence = undefined;
    } else {
      const isCode = fence !== undefined;
      const last = parts.at(-1);
      if (last !== undefined && last.isCode === isCode) last.lines.push(line);
      else parts.push({ isCode, lines: [line] });
    }
  }
  let body = '';
  for (const { isCode, lines } of parts) {
    const content = yield* escaping(lines.join('\n').trim());
    if (isCode) body += `<pre><code>${content}</code></pre>\n`;
    else if (content !== '') body += `<p class="text">${content}</p>\n`;
  }
  return body;
}

const linesAtOnce = 10_000;
const lettersAtOnce = 65_536;

function* escaping(text: string): Steps<string> {
  let written = '';
  for (let start = 0; start < text.length; start += lettersAtOnce) {
    written += escaped(text.slice(start, start + lettersAtOnce));
    yield;
  }
  return written;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => entities[letter] ?? '');
}
