/** What the Tab key stops at, but for fields: in one, keys such as `u` for Undo would be typed. */
const stops = 'a[href], button:not(:disabled), summary, :is([type=checkbox], [type=radio]):not(:disabled)';

/** The element that had the focus and those around it, each with its place among its siblings, innermost first. */
type Trail = readonly { element: Element; index: number }[];

let trail: Trail = [];
let withKeys = false;

/**
 * A button that removes its own row, a form that closes itself and a button that waits for its answer lose the focus. With
 * the keyboard one would have to start again at the top of the page: the focus goes back, or to what stands nearest.
 */
export function keepFocus(): void {
  addEventListener('keydown', () => noteInput(true), true);
  addEventListener('pointerdown', () => noteInput(false), true);
  addEventListener('focusin', ({ target }) => {
    trail = target instanceof Element ? trailOf(target) : [];
  });
  const observed = { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] };
  new MutationObserver(restore).observe(document.body, observed);
}

function noteInput(isKey: boolean): void {
  withKeys = isKey;
}

function restore(changes: readonly MutationRecord[]): void {
  const [lost] = trail;
  if (!withKeys || lost === undefined || document.activeElement !== document.body) return;
  if (lost.element.isConnected) {
    // An element that is blurred on purpose is none of these changes.
    if (changes.some((change) => gaveBack(change, lost.element))) focusOn(lost.element);
    return;
  }
  const at = trail.findIndex(({ element }) => element.isConnected);
  const gap = trail[at - 1]?.index ?? 0;
  const around = at === -1 ? [] : trail.slice(at);
  trail = [];
  focusOn(nearest(around, gap));
}

/** Whether an element can be used again, or was moved to another place of the page. */
function gaveBack({ type, target, addedNodes }: MutationRecord, element: Element): boolean {
  if (type === 'attributes') return target === element && !element.matches(':disabled');
  return [...addedNodes].some((node) => node.contains(element));
}

function focusOn(element: Element | undefined): void {
  if (element instanceof HTMLElement) element.focus({ preventScroll: true });
}

/** The next stop after the gap, else the one before it, else the same around the parent. */
function nearest(around: Trail, gap: number): HTMLElement | undefined {
  let index = gap;
  for (const { element, index: own } of around) {
    // Another view has come: reading begins at its top.
    if (element instanceof HTMLElement && element.tagName === 'MAIN') return element;
    const children = [...element.children];
    const after = children.slice(index).flatMap(stopsIn);
    const before = children.slice(0, index).flatMap(stopsIn);
    const found = after[0] ?? before.at(-1);
    if (found !== undefined) return found;
    index = own;
  }
  return undefined;
}

function stopsIn(element: Element): HTMLElement[] {
  const all = [...(element.matches(stops) ? [element] : []), ...element.querySelectorAll(stops)];
  return all.filter((each): each is HTMLElement => each instanceof HTMLElement && each.checkVisibility());
}

function trailOf(target: Element): Trail {
  const found: { element: Element; index: number }[] = [];
  for (let element: Element | null = target; element !== null; element = element.parentElement) {
    found.push({ element, index: indexOf(element) });
  }
  return found;
}

function indexOf(element: Element): number {
  return [...(element.parentElement?.children ?? [])].indexOf(element);
}
