export const themes = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const key = 'payhooks.theme';

/** The remembered theme. Storage may be forbidden; then the theme lasts as long as the page. */
export function rememberedTheme(): Theme {
  try {
    return themes.find((theme) => theme === localStorage.getItem(key)) ?? 'auto';
  } catch {
    return 'auto';
  }
}

/** Applies a theme: `auto` follows the system. */
export function applyTheme(theme: Theme): void {
  if (theme === 'auto') document.documentElement.removeAttribute('data-theme');
  else document.documentElement.dataset['theme'] = theme;
}

export function rememberTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    localStorage.setItem(key, theme);
  } catch {
    // Nothing to do: see rememberedTheme.
  }
}
