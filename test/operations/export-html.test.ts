import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { localPrincipal } from '../../src/auth/access.js';
import { htmlBegin, htmlEnd, htmlOf } from '../../src/operations/export-html.js';
import { operations } from '../../src/operations/table.js';
import { aConversation, aNote, turns } from '../support/conversation.js';
import { aService } from '../support/service.js';

const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</main></body><iframe src=javascript:alert(1)>',
  '```\n</code></pre><svg onload=alert(1)>\n```',
];

/** Every tag that is not one of the page's own. */
function foreignTags(html: string): string[] {
  const own = /^<\/?(?:article|section|h2|h3|p|pre|code|span|time)(?: (?:id|class|datetime)="[^"<>]*")*>$/;
  return (html.match(/<[^>]*>?/g) ?? []).filter((tag) => !own.test(tag));
}

function shown(text: string) {
  return {
    id: text,
    source: text,
    title: text,
    timestamp: text,
    messages: [{ role: 'user' as const, text, timestamp: text }],
    metadata: { tags: [text] },
  };
}

describe('an HTML export', () => {
  it.each(hostile)('keeps %j as text everywhere', (text) => {
    expect(foreignTags(htmlOf(shown(text)))).toEqual([]);
    expect(htmlBegin(text)).not.toContain(text);
  });

  it('allows only its own style, and requests nothing', () => {
    const page = `${htmlBegin('Notes')}${htmlOf(shown('Hello'))}${htmlEnd}`;
    const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? '';
    const source = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
    expect(page).toContain(`content="default-src 'none'; style-src ${source}; base-uri 'none'; form-action 'none'"`);
    expect(page).not.toMatch(/ style=/);
    expect(page).not.toMatch(/<script|<link|<img|src=|url\(|@import/);
  });

  it('puts fenced code in a box, also when the fence is never closed', () => {
    const bodyOf = (text: string) => htmlOf(shown(text)).split('</h3>\n')[1]?.split('</section>')[0];
    expect(bodyOf('Try:\n```js\na < b\n```\nDone.')).toBe(
      '<p class="text">Try:</p>\n<pre><code>a &lt; b</code></pre>\n<p class="text">Done.</p>\n',
    );
    expect(bodyOf('~~~\nopen')).toBe('<pre><code>open</code></pre>\n');
  });

  it('takes time that grows with the text', () => {
    const started = performance.now();
    htmlOf(shown('```\n'.repeat(100_000)));
    htmlOf(shown('`'.repeat(400_000)));
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('has every conversation that passes the filters, oldest first, in one whole page', async () => {
    const service = await aService();
    await service.insert(aConversation({ title: 'Second', timestamp: '2026-02-01', messages: turns('b', 'B') }));
    await service.insert(aConversation({ title: 'First', timestamp: '2026-01-01', messages: turns('a', 'A') }));
    await service.insert(aNote('left out', { title: 'Elsewhere', source: 'elsewhere' }));
    const call = { principal: localPrincipal, defaultSource: 'x' };
    const request = { format: 'html', date_to: '2026-02-01' };
    const { pieces } = await operations.export.execute(service.service, call, request);
    let page = '';
    for await (const { text } of pieces) page += text;
    expect([...page.matchAll(/<h2>(.*)<\/h2>/g)].map(([, title]) => title)).toEqual(['First', 'Second']);
    expect(page.startsWith('<!doctype html>')).toBe(true);
    expect(page.endsWith('</html>\n')).toBe(true);
  });
});
