/** Focuses an element when it appears: as a stable `ref`, it is called once. */
export function focusOnce(element: HTMLElement | null): void {
  element?.focus();
}
