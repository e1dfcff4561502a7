import { describe, expect, it } from 'vitest';
import { substanceOf } from './index.ts';

type Pair = readonly [name: string, path: string, a: string, b: string];

const kept: readonly Pair[] = [
  ['a body', 'a.sh', 'cat <<EOF\n# x\nEOF', 'cat <<EOF\n# y\nEOF'],
  ['a body of a quoted word', 'a.sh', "cat <<'EOF'\n# x\nEOF", "cat <<'EOF'\n# y\nEOF"],
  ['a body of a word in double quotes', 'a.sh', 'cat <<"EOF"\n# x\nEOF', 'cat <<"EOF"\n# y\nEOF'],
  ['a body whose end is indented', 'a.sh', 'cat <<-EOF\n\t# x\n\tEOF', 'cat <<-EOF\n\t# y\n\tEOF'],
  ['a body of Ruby', 'a.rb', 'x = <<~TEXT\n  # x\nTEXT', 'x = <<~TEXT\n  # y\nTEXT'],
  ['the second line of a body', 'a.sh', 'cat <<EOF\nx\n# y\nEOF', 'cat <<EOF\nx\n# z\nEOF'],
  ['blanks in a body', 'a.sh', 'cat <<EOF\na  b\nEOF', 'cat <<EOF\na b\nEOF'],
  ['a body in a Dockerfile', 'Dockerfile', 'RUN <<EOF\n# x\nEOF', 'RUN <<EOF\n# y\nEOF'],
  ['a folded scalar', 'a.yaml', 'a: >\n  # x', 'a: >\n  # y'],
  ['a scalar with a sign', 'a.yaml', 'a: |-\n  # x', 'a: |-\n  # y'],
  ['a scalar with a sign and a number', 'a.yaml', 'a: >2+\n  # x', 'a: >2+\n  # y'],
  ['an empty line in a scalar', 'a.yaml', 'a: |\n  x\n\n  y', 'a: |\n  x\n  y'],
  ['a line behind an empty line', 'a.yaml', 'a: |\n  x\n\n  # y\nb: 1', 'a: |\n  x\n\n  # z\nb: 1'],
  ['a line behind a line of blanks', 'a.yaml', 'a: |\n  x\n \n  # y', 'a: |\n  x\n \n  # z'],
  ['a scalar in a list', 'a.yaml', '- |\n  # x', '- |\n  # y'],
  ['deeper indentation in a scalar', 'a.yaml', 'a: |\n  x\n    y', 'a: |\n  x\n  y'],
];

const leftOut: readonly Pair[] = [
  ['a comment after the end', 'a.sh', 'cat <<EOF\nx\nEOF\n# c\nEOF', 'cat <<EOF\nx\nEOF\n# d\nEOF'],
  ['a comment after a here-string', 'a.sh', 'cat <<<EOF\n# c\nEOF', 'cat <<<EOF\n# d\nEOF'],
  ['a comment after a word that never comes', 'a.sh', 'cat <<EOF\n# c', 'cat <<EOF\n# d'],
  ['a comment after a word that only came before', 'a.sh', 'EOF\ncat <<EOF\n# c', 'EOF\ncat <<EOF\n# d'],
  ['a comment behind the announcement', 'a.sh', 'cat <<EOF # c\nx\nEOF', 'cat <<EOF\nx\nEOF'],
  [
    'a comment two lines below a shift',
    'a.sh',
    'cat <<EOF\nx\nEOF\ny\n# c\nEOF',
    'cat <<EOF\nx\nEOF\ny\n# d\nEOF',
  ],
  ['the indentation of a scalar', 'a.yaml', 'a: |\n  x\n    y\nb: 1', 'a: |\n    x\n      y\nb: 1'],
  ['the indentation below an empty line', 'a.yaml', 'a: |\n\n  x\n    y', 'a: |\n\n    x\n      y'],
  ['the indentation below blanks', 'a.yaml', 'a: |\n \n  x\n    y', 'a: |\n \n    x\n      y'],
  ['a comment below a scalar', 'a.yaml', 'a: |\n    x\n  # c\nb: 1', 'a: |\n    x\n  # d\nb: 1'],
  ['a comment that stands as far out as the key', 'a.yaml', 'b:\n  a: |\n  # c', 'b:\n  a: |\n  # d'],
  ['a comment below a word with a bar', 'a.yaml', 'a: x|\n  # c', 'a: x|\n  # d'],
  ['a comment below a bar with more than signs', 'a.yaml', 'a: |abc\n  # c', 'a: |abc\n  # d'],
];

describe('kept as it is:', () => {
  it.each(kept)('%s in %s', (_, path, a, b) => {
    expect(substanceOf(path, a)).not.toBe(substanceOf(path, b));
  });
});

describe('left out:', () => {
  it.each(leftOut)('%s in %s', (_, path, a, b) => {
    expect(substanceOf(path, a)).toBe(substanceOf(path, b));
  });
});
