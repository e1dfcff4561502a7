import { posix } from 'node:path';
import { add, type Scene, type Seen } from './level.ts';
import { matcher } from './matcher.ts';

const styles = {
  kebab: /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
  snake: /^[a-z0-9]+(?:_[a-z0-9]+)*$/,
  camel: /^[a-z][a-zA-Z0-9]*$/,
  pascal: /^[A-Z][a-zA-Z0-9]*$/,
};

/** Judges how files are called. */
export async function judgeNaming({ gate, files }: Scene, seen: Seen): Promise<undefined> {
  for (const { files: globs, style } of gate.contracts?.naming ?? []) {
    const paths = (await files()).filter(matcher(globs));
    const name = `${style} names in ${globs.join(', ')}`;
    if (paths.length === 0) seen.notes.push(`${name}: no file matches`);
    const wrong = paths.filter((path) => !styles[style].test(stemOf(path, style)));
    add(
      seen,
      name,
      wrong.map((path) => ({
        id: `naming:${path}`,
        title: `${path} is not named in ${style} case`,
        file: path,
      })),
    );
  }
}

/** The name without its folder, its endings and, for `.x` and `__x__`, its marks. */
function stemOf(path: string, style: keyof typeof styles): string {
  const stem = posix.basename(path).replace(/^\.+/, '').replace(/\..*$/s, '');
  return style === 'snake' ? stem.replace(/^_+|_+$/g, '') : stem;
}
