import { statfsSync } from 'node:fs';

/** The kind of a file system by the number that Linux gives it; other systems number them otherwise. */
export function diskKind(type: number, platform = process.platform): { name: string; network: boolean } {
  const found = platform === 'linux' ? kinds.get(type >>> 0) : undefined;
  if (found === undefined) return { name: 'local', network: false };
  return { name: found, network: true };
}

const kinds = new Map<number, string>([
  [0x6969, 'nfs'],
  [0x517b, 'smb'],
  [0xfe534d42, 'smb2'],
  [0xff534d42, 'cifs'],
  [0x65735546, 'fuse'],
  [0x01021997, '9p'],
  [0x00c36400, 'ceph'],
  [0x5346414f, 'afs'],
  [0x0bd00bd0, 'lustre'],
  [0x47504653, 'gpfs'],
  [0x786f4256, 'vboxsf'],
]);

/** Says so where the state lies on a network: a lock that does not hold there lets two owners in. */
export function warnOfNetwork(path: string, typeOf = (at: string) => statfsSync(at).type): string | null {
  const found = diskKind(readType(path, typeOf));
  if (!found.network) return null;
  return `the state lies on a network file system (${found.name}, ${path}), where locks and syncs may not hold; set AGENTGATE_STATE_DIR to a directory on a local disk`;
}

function readType(path: string, typeOf: (at: string) => number): number {
  try {
    return typeOf(path);
  } catch {
    // Some systems do not tell; then nothing is known against the disk.
    return 0;
  }
}
