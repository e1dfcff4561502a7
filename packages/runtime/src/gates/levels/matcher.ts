import picomatch from 'picomatch';

/** Whether a path fits one of the globs; names that begin with a dot count too. */
export function matcher(globs: readonly string[]): (path: string) => boolean {
  const fits = globs.map((glob) => picomatch(glob.replace(/^\.\//, ''), { dot: true }));
  return (path) => fits.some((one) => one(path));
}
