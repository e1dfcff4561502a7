/** Values of foreign events, each of which may be missing or of another kind than it was told to be. */
export type Loose = Record<string, unknown>;

export const group = (value: unknown): Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : {};

export const groups = (value: unknown): Loose[] => (Array.isArray(value) ? value.map(group) : []);

export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export const number = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0;

/** The one input of a tool that tells most of what it is about to do. */
export function subject(input: unknown): string {
  const { command, cmd, file_path, filePath, path, pattern, url, query, description } = group(input);
  const told = [command, cmd, file_path, filePath, path, pattern, url, query, description].find(
    (one) => text(one) !== '',
  );
  return oneLine(text(told));
}

export const oneLine = (value: string, most = 160): string => {
  const line = value.replaceAll(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
};
