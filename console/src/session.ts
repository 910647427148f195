const key = 'threadkeep.token';

/** A token lives as long as the tab: closing it signs out. */
export function token(): string | undefined {
  return sessionStorage.getItem(key) ?? undefined;
}

export function keepToken(value: string | undefined): void {
  if (value === undefined) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, value);
}
