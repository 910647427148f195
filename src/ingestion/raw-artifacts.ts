import { MemoryError } from '../model/errors.js';

export const artifactKeys: ReadonlySet<string> = new Set([
  'raw_html',
  'html_snapshot',
  'dom_snapshot',
  'screenshot',
  'screenshot_data',
  'selector_evidence',
]);

/** Raw captures of a page never enter the memory: refused as a key at any depth, with every place named. */
export function refuseRawArtifacts(payload: object): void {
  const paths: string[] = [];
  const open: { value: object; path: string }[] = [{ value: payload, path: '$' }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const [key, child] of Object.entries(next.value)) {
      const path = Array.isArray(next.value) ? `${next.path}[${key}]` : `${next.path}.${key}`;
      if (!Array.isArray(next.value) && artifactKeys.has(key)) paths.push(path);
      else if (typeof child === 'object' && child !== null) open.push({ value: child, path });
    }
  }
  if (paths.length === 0) return;
  const shown = paths.sort().slice(0, 20);
  const issues = shown.map((path) => ({ path, message: 'is a raw browser capture artifact' }));
  throw new MemoryError('invalid_input', `Raw browser capture artifacts are not stored: ${shown.join(', ')}`, {
    issues,
  });
}
