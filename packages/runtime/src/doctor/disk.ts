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
