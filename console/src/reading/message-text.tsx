import { useEffect, useState } from 'preact/hooks';

type Tree = typeof import('./markdown-tree.js')['MarkdownTree'];

let loaded: Tree | undefined;
let loading: Promise<void> | undefined;

/** Loads the Markdown renderer once. If that fails, messages stay plain text. */
export function loadMarkdown(): Promise<void> {
  loading ??= import('./markdown-tree.js').then(
    ({ MarkdownTree }) => {
      loaded = MarkdownTree;
    },
    () => {
      // The next conversation tries again.
      loading = undefined;
    },
  );
  return loading;
}

/** What was said: drawn as Markdown, or as it was typed. */
export function MessageText({ text, raw }: { text: string; raw: boolean }) {
  const [ready, setReady] = useState(loaded !== undefined);
  useEffect(() => {
    let wanted = true;
    if (!ready) loadMarkdown().then(() => wanted && setReady(loaded !== undefined));
    return () => {
      wanted = false;
    };
  }, [ready]);
  const Tree = raw || !ready ? undefined : loaded;
  if (Tree === undefined) return <div class="text as-typed">{text}</div>;
  return (
    <div class="text markdown">
      <Tree text={text} />
    </div>
  );
}
