/** How long ago something was, for people. */
export function ago(at: string, now: number): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(at)) / 1_000));
  if (!Number.isFinite(seconds)) return '';
  if (seconds < 10) return 'just now';
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3_600) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.round(seconds / 3_600)} h ago`;
  if (seconds < 86_400 * 30) return `${Math.round(seconds / 86_400)} d ago`;
  return at.slice(0, 10);
}
