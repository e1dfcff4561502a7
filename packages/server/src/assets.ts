import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** The files of the page, all of them in memory: an address names one of these, and never a path of the disk. */
export type Assets = ReadonlyMap<string, Asset>;

export interface Asset {
  type: string;
  bytes: Uint8Array<ArrayBuffer>;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json; charset=utf-8',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** Reads the built page; no files where it was not built. Links and files of other kinds are left out. */
export function readAssets(dir: string): Assets {
  const assets = new Map<string, Asset>();
  const add = (folder: string, address: string): void => {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      const found = lstatSync(path);
      if (found.isDirectory()) add(path, `${address}${name}/`);
      const type = types[extname(name)];
      if (found.isFile() && type !== undefined)
        assets.set(`${address}${name}`, { type, bytes: new Uint8Array(readFileSync(path)) });
    }
  };
  if (lstatSync(dir, { throwIfNoEntry: false })?.isDirectory()) add(dir, '/');
  const index = assets.get('/index.html');
  if (index) assets.set('/', index);
  return assets;
}
