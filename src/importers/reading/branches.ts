/** A turn in a tree of edits and regenerated answers. */
export interface Node<Content> {
  id: string;
  parent?: string;
  children: readonly string[];
  content: Content | undefined;
}

export interface Branch<Content> {
  /** `main` is what the person saw last; the others begin with the turn before they part from it. */
  kind: 'main' | 'side';
  /** The node that a side branch begins with: its name, which stays when the branch grows or others are added. */
  firstId: string;
  turns: Content[];
}

/**
 * The branches of a tree: the one that is shown, whole, and of every other one what is not in the branches before it,
 * with one turn of context. So nothing is lost and little is stored twice. Trees with holes or circles are cut there.
 */
export function branchesOf<Content>(
  nodes: ReadonlyMap<string, Node<Content>>,
  current: string | undefined,
): Branch<Content>[] {
  const leaves = [...nodes.values()].filter(({ children }) => !children.some((child) => nodes.has(child)));
  const shown =
    current !== undefined && nodes.has(current) ? current : (leaves.at(-1) ?? [...nodes.values()].at(-1))?.id;
  if (shown === undefined) return [];
  const seen = new Set<string>();
  // Every node is an end in the last round: those of a circle have no leaf.
  const ends = [shown, ...leaves.map(({ id }) => id), ...nodes.keys()];
  return ends.flatMap((end, index): Branch<Content>[] => {
    if (seen.has(end)) return [];
    const { news, before } = newsOf(nodes, end, seen);
    for (const { id } of news) seen.add(id);
    if (!news.some(({ content }) => content !== undefined)) return [];
    const isMain = index === 0;
    const context = isMain || before === undefined ? [] : [before];
    const turns = [...context, ...news.flatMap(({ content }) => (content === undefined ? [] : [content]))];
    return [{ kind: isMain ? 'main' : 'side', firstId: news[0]?.id ?? end, turns }];
  });
}

/** Nodes without a turn that are passed on the way to the turn before a branch. */
const mostPassed = 1_000;

/** What leads to a node and is not in the branches before it, and the turn before that. */
function newsOf<Content>(
  nodes: ReadonlyMap<string, Node<Content>>,
  end: string,
  seen: ReadonlySet<string>,
): { news: Node<Content>[]; before: Content | undefined } {
  const news: Node<Content>[] = [];
  const walked = new Set<string>();
  let node = nodes.get(end);
  for (; node !== undefined && !walked.has(node.id) && !seen.has(node.id); node = nodes.get(node.parent ?? '')) {
    walked.add(node.id);
    news.push(node);
  }
  for (let passed = 0; node !== undefined && node.content === undefined && passed < mostPassed; passed++) {
    node = nodes.get(node.parent ?? '');
  }
  const isKnown = node !== undefined && !walked.has(node.id);
  return { news: news.reverse(), before: isKnown ? node?.content : undefined };
}

/** The id of a branch: the branch that was shown keeps the id of the chat. */
export function branchNames(
  chat: { source: string; id: string | undefined },
  branch: Pick<Branch<unknown>, 'kind' | 'firstId'>,
): { upstream_thread_id?: string; thread_id?: string; branch?: string } {
  const { source, id } = chat;
  const side = branch.kind === 'side' ? { branch: branch.firstId } : {};
  if (id === undefined) return side;
  const upstream_thread_id = branch.kind === 'side' ? `${id}#${branch.firstId}` : id;
  return { upstream_thread_id, thread_id: `${source}:${id}`, ...side };
}

/** The same nodes, where each knows only its parent. */
export function withChildren<Content>(nodes: ReadonlyMap<string, Node<Content>>): Map<string, Node<Content>> {
  const children = new Map<string, string[]>();
  for (const { id, parent } of nodes.values()) {
    if (parent === undefined) continue;
    const known = children.get(parent);
    if (known === undefined) children.set(parent, [id]);
    else known.push(id);
  }
  return new Map([...nodes].map(([id, node]) => [id, { ...node, children: children.get(id) ?? [] }]));
}
