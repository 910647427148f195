export type Theme = 'auto' | 'light' | 'dark';

const key = 'threadkeep.theme';

export function themeNow(): Theme {
  const kept = localStorage.getItem(key);
  return kept === 'light' || kept === 'dark' ? kept : 'auto';
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'auto') localStorage.removeItem(key);
  else localStorage.setItem(key, theme);
  applyTheme(theme);
}

export function applyTheme(theme: Theme = themeNow()): void {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
