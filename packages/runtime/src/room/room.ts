import { existsSync, rmSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { type Fault, fault, type GateRoom, invariant, type Rung } from '@agentgate/core';
import { makeFolder } from '../make-folder.ts';
import { confinedArgv } from '../sandbox/index.ts';
import type { Mounted } from './mount.ts';
import { noNeeds, reaches, type RoomNeeds } from './needs.ts';
import { forgetTrouble, serviceTrouble, withServices } from './services.ts';

/** A judged tree, mounted where the workspace is, for the gates of one attempt. */
export interface Room {
  /** Where a path of the room, relative to the root or absolute, can be read from outside. */
  resolve(path: string): string;
  /** The command line that runs these words in the room on that rung. */
  argv(argv: readonly string[], rung: Rung, needs?: RoomNeeds): readonly [string, ...string[]];
  /** The room as one gate sees it. */
  forGate(rung: Rung, needs?: RoomNeeds): GateRoom;
  /** Throws away what the gates wrote. */
  close(): Promise<void>;
}

export interface RoomPlace {
  root: string;
  bwrap: string;
  mounted: Mounted;
  /** A host folder that lies over /tmp. */
  tmp: string;
  /** Host paths that must not be seen. */
  hide: readonly string[];
  /** Host folders that may be written; the mounts keep what is written away from the host. */
  caches: readonly string[];
  close(): Promise<void>;
}

export function makeRoom(place: RoomPlace): Room {
  const { root, mounted, tmp } = place;

  function argvIn(argv: readonly string[], rung: Rung, needs: RoomNeeds): [string, ...string[]] {
    const confined = confinedArgv(argv, {
      bwrap: place.bwrap,
      root,
      network: reaches(rung, 'network') ? 'on' : needs.network,
      hide: place.hide,
      readOnly: needs.data,
      readWrite: place.caches,
      home: reaches(rung, 'home') ? 'whole' : 'tools',
      tmp,
    });
    const [enter, ...words] = mounted.enter;
    invariant(enter !== undefined, 'a room is entered by a program');
    return [enter, ...words, ...confined];
  }

  function resolve(path: string): string {
    if (!isAbsolute(path)) return join(mounted.view, root, path);
    const inTmp = relative('/tmp', path);
    const inRoot = relative(root, path);
    if (isBelow(inRoot)) return join(mounted.view, root, inRoot);
    return isBelow(inTmp) ? join(tmp, inTmp) : path;
  }

  return {
    resolve,
    argv: (argv, rung, needs = noNeeds) => argvIn(argv, rung, needs),
    forGate(rung, needs = noNeeds) {
      // Gates may run beside each other, and each has its own notes about its start.
      const name = `agentgate-${++gates}`;
      const notes = join(tmp, name);
      const begun = join(notes, 'begun');
      makeFolder(notes);
      return {
        resolve,
        argv(argv, cwd = root) {
          forgetTrouble(notes);
          rmSync(begun, { force: true });
          const words = withServices(argv, needs.services, `/tmp/${name}`);
          return argvIn(['/bin/sh', '-c', begin, `/tmp/${name}/begun`, cwd, ...words], rung, needs);
        },
        trouble: () => (existsSync(begun) ? serviceTrouble(notes, needs.services) : startFault()),
      };
    },
    close: place.close,
  };
}

// What goes wrong before this is the room's fault and no verdict about the work. A program that is missing is the
// shell's to tell, in the words that we know.
const begin = 'cd "$1" && : >"$0" && shift && exec "$@"';

let gates = 0;

function startFault(): Fault {
  const message =
    "the command could not be started in the gates' room; its output says why; see agentgate doctor";
  return fault('room.start', message);
}

function isBelow(way: string): boolean {
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
