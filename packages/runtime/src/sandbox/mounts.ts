import { realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Confinement } from './bwrap.ts';
import { wayInside } from './inside.ts';
import { isFullRoot } from './root.ts';
import { secretPaths } from './secrets.ts';

/** One place and what lies there. */
interface Mount {
  at: string;
  args: readonly string[];
}

/** The mounts of a confinement as arguments of bubblewrap, each parent before what lies in it. */
export function mountsOf(confinement: Confinement): string[] {
  const { root, from = root, readOnly = [], readWrite = [] } = confinement;
  const hidden = [...confinement.hide, ...(confinement.home === 'tools' ? secretPaths(homedir()) : [])];
  const mounts: Mount[] = [
    ...processes(),
    ...devices(confinement),
    ...temporary(confinement),
    ...homeOf(confinement),
    ...existing(readOnly).map((path) => bind('--ro-bind', path)),
    ...existing(readWrite).map((path) => bind('--bind', path)),
    ...(root === '/' ? [] : [{ at: root, args: ['--bind', from, root] }]),
    ...hidden.flatMap((path) => hide(path, confinement)),
  ];
  return ['--ro-bind', '/', '/', ...mounts.toSorted(byDepth).flatMap(({ args }) => args)];
}

/** A root that is root outside as well must not turn the switches of the kernel. */
function processes(): Mount[] {
  const own = { at: '/proc', args: ['--proc', '/proc'] };
  return isFullRoot() ? [own, ...existing(SWITCHES).map((path) => bind('--ro-bind', path))] : [own];
}

const SWITCHES = ['acpi', 'bus', 'fs', 'irq', 'kcore', 'scsi', 'sys', 'sysrq-trigger'].map(
  (name) => `/proc/${name}`,
);

/** Agents keep the devices they know, such as graphics cards; gates get the harmless ones. */
function devices({ home }: Confinement): Mount[] {
  return [{ at: '/dev', args: home === 'whole' ? ['--dev-bind', '/dev', '/dev'] : ['--dev', '/dev'] }];
}

function temporary({ tmp, readWrite = [] }: Confinement): Mount[] {
  if (readWrite.includes('/tmp')) return [];
  const own = { at: '/var/tmp', args: ['--tmpfs', '/var/tmp'] };
  if (tmp === undefined) return [{ at: '/tmp', args: ['--tmpfs', '/tmp'] }, own];
  return [{ at: '/tmp', args: ['--bind', tmp, '/tmp'] }, own];
}

function homeOf({ home: how }: Confinement): Mount[] {
  const home = realPath(homedir());
  const shown = home === null || home === '/' ? [] : [bind(how === 'whole' ? '--bind' : '--ro-bind', home)];
  return how === 'whole' ? shown : [...shown, ...runtimeFolder()];
}

// The sockets in /run lead to the container engine, the message bus, the keyring and the keepers of keys.
function runtimeFolder(): Mount[] {
  const kept = existing(KEPT_IN_RUN.map((name) => join('/run', name)));
  return [
    { at: '/run', args: ['--tmpfs', '/run'] },
    ...kept.filter((path) => path.startsWith('/run/')).map((path) => bind('--ro-bind', path)),
  ];
}

/** What programs of some distributions are found through, and where names are looked up. */
const KEPT_IN_RUN = [
  'current-system',
  'booted-system',
  'opengl-driver',
  'systemd/resolve',
  'NetworkManager',
  'resolvconf',
];

function hide(path: string, { root, from = root }: Confinement): Mount[] {
  const way = wayInside(root, path);
  const real = realPath(way === null ? path : join(from, way));
  if (real === null) return [];
  const at = way === null ? real : path;
  // The null device reads as an empty file, and takes what is written to it.
  return [{ at, args: statSync(real).isDirectory() ? ['--tmpfs', at] : ['--dev-bind', '/dev/null', at] }];
}

function bind(option: '--bind' | '--ro-bind', path: string): Mount {
  return { at: path, args: [option, path, path] };
}

const existing = (paths: readonly string[]): string[] =>
  paths.map((path) => realPath(path)).filter((path) => path !== null);

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    // Not there, or a link to nowhere: nothing to show and nothing to hide.
    return null;
  }
}

const depth = ({ at }: Mount): number => (at === '/' ? 0 : at.split('/').length);
const byDepth = (one: Mount, other: Mount): number => depth(one) - depth(other);
