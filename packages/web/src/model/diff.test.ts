import { describe, expect, it } from 'vitest';
import { parseDiff } from './diff.ts';

const text = `diff --git a/src/a b.js b/src/a b.js
index 1..2 100644
--- a/src/a b.js\t
+++ b/src/a b.js\t
@@ -1,2 +1,2 @@ function
 same
-diff --git a/x b/x
+--- new
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-<script>alert(1)</script>
diff --git a/old.js b/new.js
similarity index 100%
rename from old.js
rename to new.js
diff --git a/logo.png b/logo.png
new file mode 100644
Binary files /dev/null and b/logo.png differ
`;

describe('a difference between two trees', () => {
  const files = parseDiff(text);
  it('is told by file, whatever the lines of the files look like', () => {
    expect(files.map(({ path, kind, added, removed }) => [path, kind, added, removed])).toEqual([
      ['src/a b.js', 'changed', 1, 1],
      ['gone.txt', 'deleted', 0, 1],
      ['new.js', 'renamed', 0, 0],
      ['logo.png', 'added', 0, 0],
    ]);
  });
  it('keeps every line of the files as it is', () => {
    expect(files[0]!.lines.map((line) => line.text)).toEqual([
      '@@ -1,2 +1,2 @@ function',
      ' same',
      '-diff --git a/x b/x',
      '+--- new',
    ]);
    expect(files[1]!.lines.at(-1)!.text).toBe('-<script>alert(1)</script>');
    expect(files[3]!.lines[0]!.text).toContain('Binary files');
  });
  it('is empty where nothing differs', () => {
    expect(parseDiff('')).toEqual([]);
  });
});
