import { Marked, type MarkedToken, type Token, type TokenizerExtension, type Tokens } from 'marked';
import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { t } from '../strings/text.js';
import { CodeBlock } from './code-block.js';
import type { MathsDrawer } from './maths-drawer.js';
import { type Piece, piecesOf } from './pieces.js';

/*
 * Markdown as elements. The parser gives tokens and every token becomes an element of this file, so no text of a message
 * is ever taken for HTML: tags in it are shown as they were typed. Loaded with the first conversation that is opened.
 */

interface MathsToken extends Tokens.Generic {
  type: 'maths';
  text: string;
  display: boolean;
}

const reader = new Marked({
  gfm: true,
  breaks: true,
  extensions: [
    mathsRule(
      'block',
      /^\$\$([^$]{1,4000})\$\$(?:\n|$)|^\\\[([^\\]|\\[^\]]){1,4000}\\\](?:\n|$)/,
      /(?:^|\n)(?:\$\$|\\\[)/,
    ),
    mathsRule(
      'inline',
      /^\$\$([^$\n]{1,2000})\$\$|^\$(?![\s$])(?:[^$\\\n]|\\.){1,1000}(?<!\s)\$(?!\d)|^\\\((?:[^\\\n]|\\[^)\n]){1,1000}\\\)/,
      /\$|\\\(/,
    ),
  ],
});

/** A message as elements. A piece too long to be parsed at once stays plain text. */
export function MarkdownTree({ text }: { text: string }) {
  // Returning the same elements skips the diff: pages of messages render again on every scroll.
  return useMemo(() => <>{piecesOf(text).map(pieceShown)}</>, [text]);
}

function pieceShown({ text, plain }: Piece, key: number): ComponentChildren {
  if (!plain) return <Fragment key={key}>{parsed(text)}</Fragment>;
  return (
    <p key={key} class="plain">
      {text}
    </p>
  );
}

/** A limit on nesting: a thousand nested quotes would overflow the stack. */
const deepest = 24;
let depth = 0;

function parsed(text: string): ComponentChildren {
  depth = 0;
  try {
    return blocks(reader.lexer(text));
  } catch {
    // Nothing is lost: the source is shown as typed.
    return <p class="plain">{text}</p>;
  }
}

/** Counts one level of nesting while `draw` runs; text nested too deeply is shown as typed. */
function inside(tokens: readonly Token[], draw: () => ComponentChildren[]): ComponentChildren[] {
  if (depth >= deepest) return tokens.map(({ raw }) => raw);
  depth += 1;
  const shown = draw();
  depth -= 1;
  return shown;
}

function blocks(tokens: readonly Token[]): ComponentChildren[] {
  return inside(tokens, () => blocksIn(tokens));
}

function blocksIn(tokens: readonly Token[]): ComponentChildren[] {
  const shown: ComponentChildren[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] as MarkedToken | MathsToken;
    const summary = token.type === 'html' ? /^<details[^>]*>\s*<summary>([^<]*)<\/summary>/i.exec(token.raw) : null;
    const end =
      summary === null ? -1 : tokens.findIndex((each, index) => index >= at && /<\/details>\s*$/i.test(each.raw));
    if (summary === null || end === -1) {
      shown.push(block(token, at));
      continue;
    }
    const raw = tokens.slice(at, end + 1).map((each) => each.raw);
    const body = raw
      .join('')
      .slice(summary[0].length)
      .replace(/<\/details>\s*$/i, '');
    shown.push(
      <details key={at}>
        <summary>{decoded(summary[1] ?? '')}</summary>
        {blocks(reader.lexer(body.trim()))}
      </details>,
    );
    at = end;
  }
  return shown;
}

function block(token: MarkedToken | MathsToken, key: number): ComponentChildren {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading':
      return heading(token, key);
    case 'paragraph':
      return <p key={key}>{spans(token.tokens)}</p>;
    case 'code':
      return <CodeBlock key={key} code={token.text} language={token.lang ?? ''} />;
    case 'blockquote':
      return <blockquote key={key}>{blocks(token.tokens)}</blockquote>;
    case 'list':
      return list(token, key);
    case 'table':
      return table(token, key);
    case 'hr':
      return <hr key={key} />;
    case 'html':
      return (
        <p key={key} class="plain">
          {token.raw.trim()}
        </p>
      );
    case 'maths':
      return <Maths key={key} tex={token.text} display={token.display} />;
    case 'text':
      return <span key={key}>{token.tokens === undefined ? decoded(token.text) : spans(token.tokens)}</span>;
    default:
      return span(token, key);
  }
}

/** The pane uses two heading levels and every message one, so headings inside a message start below them. */
function heading({ depth, tokens }: Tokens.Heading, key: number): ComponentChildren {
  const Level = depth <= 1 ? 'h4' : depth === 2 ? 'h5' : 'h6';
  return (
    <Level key={key} class={`level-h${Math.min(4, depth)}`}>
      {spans(tokens)}
    </Level>
  );
}

function list({ ordered, start, items }: Tokens.List, key: number): ComponentChildren {
  const shown = items.map((item, index) => (
    <li key={index} class={item.task ? 'task' : undefined}>
      {blocks(item.tokens)}
    </li>
  ));
  return ordered ? (
    <ol key={key} start={Number(start) || 1}>
      {shown}
    </ol>
  ) : (
    <ul key={key}>{shown}</ul>
  );
}

function table({ header, rows }: Tokens.Table, key: number): ComponentChildren {
  const side = (align: Tokens.TableCell['align']): string | undefined => (align === null ? undefined : `to-${align}`);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table must scroll with the keyboard too.
    <section key={key} class="scroll-x" tabIndex={0} aria-label={t('table')}>
      <table>
        <thead>
          <tr>
            {header.map(({ tokens, align }, index) => (
              <th key={index} class={side(align)}>
                {spans(tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map(({ tokens, align }, column) => (
                <td key={column} class={side(align)}>
                  {spans(tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function spans(tokens: readonly Token[]): ComponentChildren[] {
  return inside(tokens, () => tokens.map((token, index) => span(token as MarkedToken | MathsToken, index)));
}

function span(token: MarkedToken | MathsToken, key: number): ComponentChildren {
  switch (token.type) {
    case 'strong':
      return <strong key={key}>{spans(token.tokens)}</strong>;
    case 'em':
      return <em key={key}>{spans(token.tokens)}</em>;
    case 'del':
      return <del key={key}>{spans(token.tokens)}</del>;
    case 'codespan':
      return <code key={key}>{token.text}</code>;
    case 'br':
      return <br key={key} />;
    case 'checkbox':
      return (
        <span key={key} role="img" class="box" aria-label={t(token.checked ? 'taskDone' : 'taskOpen')}>
          {token.checked ? '☑' : '☐'}
        </span>
      );
    case 'link':
      return (
        <SafeLink key={key} href={token.href}>
          {spans(token.tokens)}
        </SafeLink>
      );
    case 'image':
      return (
        <SafeLink key={key} href={token.href}>
          <span class="image">
            {t('image', { name: token.text === '' ? nameOf(token.href) : decoded(token.text) })}
          </span>
        </SafeLink>
      );
    case 'maths':
      return <Maths key={key} tex={token.text} display={false} />;
    case 'html':
      return /^<br\s*\/?>$/i.test(token.raw) ? <br key={key} /> : token.raw;
    case 'text':
      return token.tokens === undefined ? decoded(token.text) : spans(token.tokens);
    case 'escape':
      return token.text;
    default:
      return token.raw;
  }
}

/** Links only to web pages and mail. Other schemes, and links into this page, stay text. */
function SafeLink({ href, children }: { href: string; children: ComponentChildren }) {
  const goes = URL.canParse(href) && /^(?:https?|mailto):$/.test(new URL(href).protocol);
  if (!goes) return <span class="dead-link">{children}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" title={href}>
      {children}
    </a>
  );
}

function nameOf(href: string): string {
  return href.startsWith('data:') ? 'data' : (href.split(/[?#]/)[0]?.split('/').pop() ?? '');
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

/** The few HTML entities that people and models write; the result is text, never markup. */
function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,6})|(amp|lt|gt|quot|apos|nbsp));/g, (whole, code?: string, name?: string) => {
    if (name !== undefined) return entities[name] ?? whole;
    const point = Number(code);
    return point > 31 && point < 0x11_0000 ? String.fromCodePoint(point) : whole;
  });
}

/** LaTeX between dollar signs or `\(…\)` in a line, `$$…$$` or `\[…\]` on separate lines. Prices are not formulas. */
function mathsRule(level: 'block' | 'inline', pattern: RegExp, begin: RegExp): TokenizerExtension {
  return {
    name: 'maths',
    level,
    start: (source) => {
      const found = begin.exec(source);
      return found === null ? undefined : found.index + (found[0].startsWith('\n') ? 1 : 0);
    },
    tokenizer: (source) => {
      const raw = pattern.exec(source)?.[0];
      if (raw === undefined) return undefined;
      const text = raw.trim().replace(/^(?:\$\$|\$|\\[([])|(?:\$\$|\$|\\[)\]])$/g, '');
      return { type: 'maths', raw, text: text.trim(), display: level === 'block' } satisfies MathsToken;
    },
  };
}

let loading: Promise<MathsDrawer> | undefined;

/** A formula; its source is shown until it is rendered, or if it cannot be. */
function Maths({ tex, display }: { tex: string; display: boolean }) {
  const [draw, setDraw] = useState<{ it: MathsDrawer }>();
  useEffect(() => {
    let wanted = true;
    loading ??= import('./maths-drawer.js').then(({ drawMaths }) => drawMaths);
    loading.then(
      (it) => {
        if (wanted) setDraw({ it });
      },
      // The source of the formula stays visible.
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, []);
  const drawn = draw?.it(tex, display);
  if (drawn !== undefined) return <span class={display ? 'maths display' : 'maths'}>{drawn}</span>;
  return <code class={display ? 'maths display' : 'maths'}>{tex}</code>;
}
