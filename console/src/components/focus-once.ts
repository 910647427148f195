/** Focuses a field when it appears: as a stable `ref`, it is called once. */
export function focusOnce(field: HTMLInputElement | null): void {
  field?.focus();
}
