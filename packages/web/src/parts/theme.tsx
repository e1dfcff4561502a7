import { useState } from 'preact/hooks';

const key = 'agentgate-theme';
type Theme = 'light' | 'dark';

const asked = (): Theme | null => {
  try {
    const kept = localStorage.getItem(key);
    return kept === 'light' || kept === 'dark' ? kept : null;
  } catch {
    // A file may be opened where nothing can be kept.
    return null;
  }
};
const ofSystem = (): Theme => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');

/** Follows the system until somebody chooses otherwise. */
export function applyTheme(): void {
  const theme = asked();
  if (theme) document.documentElement.dataset['theme'] = theme;
}

export function ThemeButton() {
  const [theme, setTheme] = useState<Theme>(() => asked() ?? ofSystem());
  const next = theme === 'dark' ? 'light' : 'dark';
  const turn = () => {
    document.documentElement.dataset['theme'] = next;
    try {
      localStorage.setItem(key, next);
    } catch {
      // It holds for this page at least.
    }
    setTheme(next);
  };
  return (
    <button type="button" class="quiet icon" onClick={turn} aria-label={`Use the ${next} theme`}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <circle cx="8" cy="8" r="5.5" class="ring" />
        <path d="M8 2.5a5.5 5.5 0 0 1 0 11z" class="fill" />
      </svg>
    </button>
  );
}
