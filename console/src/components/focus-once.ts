/** For a field that appears because one wants to type: as a `ref` that never changes, it is called once. */
export function focusOnce(field: HTMLInputElement | null): void {
  field?.focus();
}
