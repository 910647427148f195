/** The text of a rendered message, written as Markdown again: code with its language, lists, tables, quotes, formulas. */
export function markdownOf(root: Element): string {
  return joined(blocksOf(root, isVerbatim(root)))
    .replaceAll(/(?<![ \t])[ \t]+\n/g, '\n')
    .trim();
}

/** Buttons, icons, and what is there for other eyes than the reader's. */
const left = new Set([
  'button',
  'svg',
  'style',
  'script',
  'noscript',
  'template',
  'input',
  'textarea',
  'select',
  'nav',
]);

const blocks = new Set(
  'address article aside blockquote code-block dd details div dl dt figure footer form h1 h2 h3 h4 h5 h6 header hr li main ol p pre section summary table ul response-element'.split(
    ' ',
  ),
);

/** A block of text; `tight` ones are joined to the one before with a single line break. */
interface Block {
  text: string;
  tight?: boolean;
}

function joined(parts: readonly Block[]): string {
  let text = '';
  for (const part of parts) {
    if (part.text === '') continue;
    text += text === '' ? part.text : `${part.tight === true ? '\n' : '\n\n'}${part.text}`;
  }
  return text;
}

/** The children in order: runs of inline content become one block each. */
function blocksOf(element: Element, verbatim: boolean): Block[] {
  const found: Block[] = [];
  let line = '';
  const endLine = () => {
    const text = verbatim ? line.replaceAll(/^\n+|(?<!\s)\s+$/g, '') : line.trim();
    if (text !== '') found.push({ text });
    line = '';
  };
  for (const child of element.childNodes) {
    if (isElement(child) && holdsBlocks(child)) {
      endLine();
      found.push(...blockOf(child, verbatim));
    } else line += inline(child, verbatim);
  }
  endLine();
  return found;
}

function blockOf(element: Element, verbatim: boolean): Block[] {
  if (isLeftOut(element)) return [];
  const name = element.localName;
  const heading = /^h([1-6])$/.exec(name)?.[1];
  if (heading !== undefined) return [{ text: `${'#'.repeat(Number(heading))} ${oneLine(element)}` }];
  if (name === 'pre' || name === 'code-block' || isCodeFrame(element)) return [{ text: codeOf(element) }];
  if (name === 'ul' || name === 'ol') return [{ text: listOf(element) }];
  if (name === 'table') return [{ text: tableOf(element) }];
  if (name === 'hr') return [{ text: '---' }];
  const inside = blocksOf(element, verbatim || isVerbatim(element));
  return name === 'blockquote' ? [{ text: prefixed(joined(inside), '> ', '> ') }] : inside;
}

/** Claude puts a block of code, its language as a caption and its buttons into one group. */
function isCodeFrame(element: Element): boolean {
  return (
    element.getAttribute('role') === 'group' &&
    element.querySelectorAll('pre').length === 1 &&
    !element.querySelector('p')
  );
}

function codeOf(element: Element): string {
  const code = element.querySelector('code') ?? element;
  const text = (code.textContent ?? '').replace(/(?<!\n)\n+$/, '');
  // Not Math.max(...all): a long page has more of them than a call takes arguments.
  const longest = [...text.matchAll(/`+/g)].reduce((most, [ticks]) => Math.max(most, ticks.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${languageOf(element, code)}\n${text}\n${fence}`;
}

/** From the class where there is one; else from the caption, which is all that some pages have. */
function languageOf(element: Element, code: Element): string {
  const marked = /\blanguage-([\w+#.-]+)/.exec(code.className)?.[1];
  if (marked !== undefined) return marked;
  const caption = element.querySelector('.code-block-decoration span')?.textContent?.trim().toLowerCase() ?? '';
  return /^[\w+#.-]{1,20}$/.test(caption) ? caption : '';
}

function listOf(list: Element): string {
  let number = Number(list.getAttribute('start') ?? '1');
  const items: Block[] = [];
  for (const item of list.children) {
    if (item.localName !== 'li') continue;
    const marker = list.localName === 'ol' ? `${number}. ` : '- ';
    number += 1;
    const inside = blocksOf(item, isVerbatim(item));
    const isList = (text: string) => /^(?:- |\d+\. )/.test(text);
    const text = joined(inside.map((block) => ({ ...block, tight: block.tight === true || isList(block.text) })));
    items.push({ text: prefixed(text, marker, ' '.repeat(marker.length)), tight: true });
  }
  return joined(items);
}

function tableOf(table: Element): string {
  const rows = [...table.querySelectorAll('tr')].map((row) =>
    [...row.querySelectorAll('th, td')].map((cell) => oneLine(cell).replaceAll('|', '\\|')),
  );
  const [head, ...body] = rows.map((cells) => `| ${cells.join(' | ')} |`);
  if (head === undefined) return '';
  return [head, `|${'---|'.repeat(rows[0]?.length ?? 1)}`, ...body].join('\n');
}

function inline(node: Node, verbatim: boolean): string {
  if (node.nodeType === 3) return verbatim ? (node.nodeValue ?? '') : (node.nodeValue ?? '').replaceAll(/\s+/g, ' ');
  if (!isElement(node)) return '';
  const formula = formulaOf(node);
  if (formula !== undefined) return formula;
  if (isLeftOut(node)) return '';
  const name = node.localName;
  if (name === 'br') return '\n';
  if (name === 'img') return node.getAttribute('alt') ? `[${node.getAttribute('alt')}]` : '';
  if (name === 'code') return `\`${node.textContent ?? ''}\``;
  const text = [...node.childNodes].map((child) => inline(child, verbatim || isVerbatim(node))).join('');
  if (text.trim() === '') return text;
  if (name === 'strong' || name === 'b') return wrapped(text, '**');
  if (name === 'em' || name === 'i') return wrapped(text, '*');
  if (name === 'del' || name === 's') return wrapped(text, '~~');
  return name === 'a' ? linkOf(node, text) : text;
}

/** Of a relative link only the text is kept, because it leads nowhere outside the site. */
function linkOf(link: Element, text: string): string {
  const address = link.getAttribute('href') ?? '';
  if (!/^https?:/.test(address) || text.trim() === address) return text;
  return `[${text.trim()}](${address})`;
}

/** KaTeX keeps the source in an annotation; Gemini in an attribute. */
function formulaOf(element: Element): string | undefined {
  const isBlock = element.matches('.katex-display, .math-block');
  if (!isBlock && !element.matches('.katex, .math-inline')) return undefined;
  const source =
    element.getAttribute('data-math') ??
    element.querySelector('annotation[encoding="application/x-tex"]')?.textContent ??
    undefined;
  if (source === undefined) return undefined;
  return isBlock ? `\n$$\n${source.trim()}\n$$\n` : `$${source.trim()}$`;
}

function wrapped(text: string, mark: string): string {
  const trimmed = text.trim();
  const start = text.indexOf(trimmed);
  return `${text.slice(0, start)}${mark}${trimmed}${mark}${text.slice(start + trimmed.length)}`;
}

function oneLine(element: Element): string {
  return [...element.childNodes]
    .map((child) => inline(child, false))
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function prefixed(text: string, first: string, others: string): string {
  return text
    .split('\n')
    .map((line, index) => (index === 0 ? first + line : line === '' ? others.trimEnd() : others + line))
    .join('\n');
}

function holdsBlocks(element: Element): boolean {
  if (element.matches('.katex-display, .math-block')) return false;
  if (blocks.has(element.localName)) return true;
  // Custom elements and spans that wrap paragraphs.
  return (
    element.localName !== 'code' && element.querySelector('p, pre, ul, ol, table, blockquote, h1, h2, h3') !== null
  );
}

function isLeftOut(element: Element): boolean {
  return (
    left.has(element.localName) ||
    element.hasAttribute('hidden') ||
    element.getAttribute('aria-hidden') === 'true' ||
    element.matches('.sr-only, .cdk-visually-hidden, sources-carousel-inline')
  );
}

/** Written text is shown as it was typed; rendered Markdown is not. */
function isVerbatim(element: Element): boolean {
  return element.classList.contains('whitespace-pre-wrap');
}

function isElement(node: Node): node is Element {
  return node.nodeType === 1;
}
