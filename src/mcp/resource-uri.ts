/** The resources as their addresses say them. A day and a search may carry the cursor of their next page. */
export type ResourceName =
  | { kind: 'example' }
  | { kind: 'health' }
  | { kind: 'conversation'; id: string }
  | { kind: 'search'; query: string; cursor?: string }
  | { kind: 'timeline'; day: string; cursor?: string };

export const resourceUris = {
  example: 'memory://conversation/example',
  health: 'memory://health',
  conversation: 'memory://conversation/{id}',
  search: 'memory://search/{query}',
  timeline: 'memory://timeline/{day}',
} as const;

export function conversationUri(id: string): string {
  return `memory://conversation/${id}`;
}

/** Undefined for anything that is not ours. */
export function parseResourceUri(uri: string): ResourceName | undefined {
  if (uri === resourceUris.example) return { kind: 'example' };
  if (uri === resourceUris.health) return { kind: 'health' };
  const [, kind, rest = '', cursor] = /^memory:\/\/([a-z]+)\/([^?]+)(?:\?cursor=([\w-]+))?$/.exec(uri) ?? [];
  const value = decoded(rest);
  if (value === undefined) return undefined;
  const from = cursor === undefined ? {} : { cursor };
  if (kind === 'timeline') return { kind, day: value, ...from };
  if (kind === 'search') return { kind, query: value, ...from };
  return kind === 'conversation' && cursor === undefined ? { kind, id: value } : undefined;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign: no address of ours.
    return undefined;
  }
}
