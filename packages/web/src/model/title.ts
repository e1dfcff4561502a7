const most = 160;

/** A task as a heading: its first paragraph in one line. */
export function titleOf(task: string): { title: string; isWhole: boolean } {
  const whole = task.trim();
  const paragraph = whole
    .split(/\n\s*\n/, 1)[0]!
    .replaceAll(/\s+/g, ' ')
    .replace(/^#+ /, '');
  const title = paragraph.length > most ? `${paragraph.slice(0, most - 1).trimEnd()}…` : paragraph;
  return { title, isWhole: title === whole.replaceAll(/\s+/g, ' ') };
}

/** The last part of a path, which is what people call a project. */
export const folderOf = (root: string): string => root.split('/').findLast((part) => part !== '') ?? root;

/** With a capital letter, as a sentence begins. */
export const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
