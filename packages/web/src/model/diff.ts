/** One file of a difference between two trees. */
export interface FileDiff {
  path: string;
  kind: 'added' | 'deleted' | 'renamed' | 'changed';
  added: number;
  removed: number;
  lines: { kind: 'added' | 'removed' | 'hunk' | 'same'; text: string }[];
}

/** Reads the output of `git diff`. A line that is like none of them is kept as it is. */
export function parseDiff(text: string): FileDiff[] {
  const files: FileDiff[] = [];
  let file: FileDiff | null = null;
  let isHead = true;
  for (const line of text.split('\n')) {
    if (line.startsWith('diff --git ')) {
      file = { path: pathIn(line), kind: 'changed', added: 0, removed: 0, lines: [] };
      files.push(file);
      isHead = true;
    } else if (file && isHead && !line.startsWith('@@')) readHead(file, line);
    else if (file && line !== '') {
      isHead = false;
      const kind = kindOf(line);
      if (kind === 'added') file.added += 1;
      if (kind === 'removed') file.removed += 1;
      file.lines.push({ kind, text: line });
    }
  }
  return files;
}

function readHead(file: FileDiff, line: string): void {
  if (line.startsWith('new file')) file.kind = 'added';
  else if (line.startsWith('deleted file')) file.kind = 'deleted';
  else if (line.startsWith('rename to ')) {
    file.kind = 'renamed';
    file.path = unquoted(line.slice('rename to '.length));
  } else if (line.startsWith('+++ ') && line !== '+++ /dev/null') file.path = pathAfter(line, 'b/');
  else if (line.startsWith('--- ') && line !== '--- /dev/null') file.path = pathAfter(line, 'a/');
  else if (line.startsWith('Binary files')) file.lines.push({ kind: 'hunk', text: line });
}

function pathAfter(line: string, prefix: string): string {
  const path = unquoted(line.slice(4).replace(/\t$/, ''));
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

/** `diff --git a/x b/x`: both halves are the same unless the file was renamed, and then a later line says so. */
function pathIn(line: string): string {
  const names = line.slice('diff --git '.length);
  const half = names.slice(Math.ceil(names.length / 2));
  return unquoted(half).replace(/^b\//, '');
}

const unquoted = (path: string): string => (/^".*"$/.test(path) ? path.slice(1, -1) : path);

function kindOf(line: string): FileDiff['lines'][number]['kind'] {
  if (line.startsWith('+')) return 'added';
  if (line.startsWith('-')) return 'removed';
  return line.startsWith('@@') ? 'hunk' : 'same';
}
