import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { createSecureContext } from 'node:tls';
import { FaultError, fault } from '@agentgate/core';

/** Where a server is to listen, as a person says it. */
export interface BindWish {
  host?: string | undefined;
  /** The one it had the last time, where it is free, unless one is given; 0 is any free one. */
  port?: number | undefined;
  tlsCert?: string | undefined;
  tlsKey?: string | undefined;
  /** Other machines may talk to it in the clear. */
  withoutTls?: boolean | undefined;
  /** Names by which it is called beside its own. */
  allowHosts?: readonly string[] | undefined;
}

export interface Bind {
  host: string;
  /** Null where none was asked for. */
  port: number | null;
  tls: { cert: Buffer; key: Buffer } | null;
  isRemote: boolean;
  allowHosts: readonly string[];
}

const loopback: readonly string[] = ['127.0.0.1', '::1', 'localhost'];

/** Only this machine, unless somebody says where else; and then not without TLS, unless somebody says that as well. */
export function chooseBind(wish: BindWish): Bind {
  const host = (wish.host ?? '127.0.0.1').replace(/^\[(.*)\]$/, '$1');
  if (host.trim() === '')
    throw refused('--host is empty; give an address of this machine, such as 192.168.1.5');
  const isRemote = !loopback.includes(host);
  const tls = readTls(wish);
  if (isRemote && tls === null && !wish.withoutTls)
    throw refused(
      `others could listen in on what is said to ${host}: give --tls-cert and --tls-key, or say --without-tls where something else encrypts it`,
    );
  return {
    host: host === 'localhost' ? '127.0.0.1' : host,
    port: wish.port ?? null,
    tls,
    isRemote,
    allowHosts: wish.allowHosts ?? [],
  };
}

function readTls({ tlsCert, tlsKey }: BindWish): Bind['tls'] {
  if (tlsCert === undefined && tlsKey === undefined) return null;
  if (tlsCert === undefined || tlsKey === undefined)
    throw refused('--tls-cert and --tls-key go together; one of them is missing');
  const tls = { cert: readPart('--tls-cert', tlsCert), key: readPart('--tls-key', tlsKey) };
  try {
    createSecureContext(tls);
    return tls;
  } catch (error) {
    throw refused(`the certificate ${tlsCert} and the key ${tlsKey} are no pair that can be used`, error);
  }
}

function readPart(flag: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw refused(`${flag} ${path} cannot be read`, error);
  }
}

/** The names by which a server may be called. Any other one came by a name server that somebody else answers for. */
export function hostsOf({ host, isRemote, allowHosts, tls }: Bind, port: number): Set<string> {
  const every = host === '0.0.0.0' || host === '::';
  const own = every
    ? Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address))
    : [host];
  const names = [...(isRemote && !every ? [] : loopback), ...own, ...allowHosts];
  const usual = tls ? 443 : 80;
  return new Set(
    names.flatMap((name) => {
      const shown = isIP(name) === 6 ? `[${name}]` : name.toLowerCase();
      return port === usual ? [shown, `${shown}:${port}`] : [`${shown}:${port}`];
    }),
  );
}

const refused = (why: string, cause?: unknown): FaultError => new FaultError(fault('usage', why, cause));
