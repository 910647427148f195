const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', hellip: '…' };

/**
 * The words of a piece of HTML with their line breaks. Only for reading an export: nothing of it is ever shown as HTML.
 * Every expression looks at each character a bounded number of times, because an export may be anything.
 */
export function plainText(html: string): string {
  return withoutCode(html)
    .replace(/<br\s{0,20}\/?>/gi, '\n')
    .replace(/<li\b[^<>]*>/gi, '\n- ')
    .replace(/<\/(p|div|h[1-6]|tr|ul|ol|pre|blockquote|table)>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(#x?[0-9a-f]{1,8}|[a-z]{1,10});/gi, (whole, name: string) => entityText(name) ?? whole)
    .replace(/(?<![ \t])[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Without scripts and styles; one that does not end takes the rest with it. */
function withoutCode(html: string): string {
  const kept: string[] = [];
  let at = 0;
  for (const { index, 1: name = '' } of html.matchAll(/<(script|style)\b/gi)) {
    if (index < at) continue;
    kept.push(html.slice(at, index));
    const end = new RegExp(`</${name}>`, 'gi');
    end.lastIndex = index;
    at = end.exec(html) === null ? html.length : end.lastIndex;
  }
  return [...kept, html.slice(at)].join('');
}

function entityText(name: string): string | undefined {
  if (!name.startsWith('#')) return entities[name.toLowerCase()];
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
