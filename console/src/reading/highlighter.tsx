import { common, createLowlight } from 'lowlight';
import type { ComponentChildren } from 'preact';

export type Highlighter = (code: string, language: string) => ComponentChildren;

const lowlight = createLowlight(common);

type Node = ReturnType<typeof lowlight.highlight>['children'][number];

/** Code in spans with the class names of highlight.js; undefined for a language it does not know. */
export const highlighter: Highlighter = (code, language) =>
  lowlight.registered(language) ? lowlight.highlight(language, code).children.map(shown) : undefined;

function shown(node: Node, key: number): ComponentChildren {
  if (node.type === 'text') return node.value;
  if (node.type !== 'element') return null;
  const names = node.properties.className;
  return (
    <span key={key} class={Array.isArray(names) ? names.join(' ') : undefined}>
      {node.children.map((child, index) => shown(child as Node, index))}
    </span>
  );
}
