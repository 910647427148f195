import katex from 'katex';
import { type ComponentChildren, h } from 'preact';

export type MathsDrawer = (tex: string, display: boolean) => ComponentChildren;

/** Plain MathML without scripts, external resources or links; the page's policy forbids inline styles. */
const elements = new Set(
  'math mrow mi mo mn ms mtext mspace mfrac msqrt mroot msub msup msubsup munder mover munderover mmultiscripts mprescripts mtable mtr mtd mstyle mpadded mphantom semantics'.split(
    ' ',
  ),
);
const attributes = new Set(
  'mathvariant stretchy fence separator accent accentunder displaystyle scriptlevel columnalign rowspacing columnspacing lspace rspace width height depth minsize maxsize linethickness symmetric largeop movablelimits display form'.split(
    ' ',
  ),
);

/** Browsers render MathML themselves, without our fonts or styles. Undefined for invalid LaTeX. */
export const drawMaths: MathsDrawer = (tex, display) => {
  try {
    const options = { output: 'mathml', displayMode: display, trust: false, strict: 'ignore', maxExpand: 200 } as const;
    const markup = katex.renderToString(tex, options).replaceAll(/ style="[^"]*"/g, '');
    const root = new DOMParser().parseFromString(markup, 'application/xml').querySelector('math');
    return root === null ? undefined : shown(root, 0);
  } catch {
    // Not valid LaTeX: shown as typed.
    return undefined;
  }
};

function shown(node: Node, key: number): ComponentChildren {
  if (node.nodeType === Node.TEXT_NODE) return node.nodeValue;
  if (!(node instanceof Element) || !elements.has(node.localName)) return null;
  const kept = [...node.attributes].filter(({ name }) => attributes.has(name)).map(({ name, value }) => [name, value]);
  return h(node.localName, { key, ...Object.fromEntries(kept) }, [...node.childNodes].map(shown));
}
