import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Fault, fault, showDuration } from '@agentgate/core';
import type { Service } from './needs.ts';

/**
 * Words that start the services one after the other, wait until each is up, and then run the command. `notes` is a
 * folder as the command sees it; a service that does not come up is told there, and the command is not run.
 */
export function withServices(
  argv: readonly string[],
  services: readonly Service[],
  notes: string,
): readonly string[] {
  if (services.length === 0) return argv;
  const each = services.flatMap(({ name, run, ready, timeout }) => [
    name,
    shellText(run),
    ready === undefined ? 'true' : 'port' in ready ? portText(ready.port) : shellText(ready.run),
    String(Math.max(1, Math.ceil(timeout / 1_000))),
  ]);
  return ['/bin/sh', '-c', script, 'sh', notes, ...each, '--', ...argv];
}

/** Which service did not come up, read from the folder of the notes as we see it. */
export function serviceTrouble(notes: string, services: readonly Service[]): Fault | null {
  const name = readText(join(notes, FAILED))?.trim();
  if (name === undefined) return null;
  const service = services.find((one) => one.name === name);
  const said =
    readText(join(notes, `agentgate-service-${name}`))
      ?.trim()
      .split('\n')
      .at(-1) ?? '';
  const within = service === undefined ? '' : ` within ${showDuration(service.timeout)}`;
  return fault(
    'room.service',
    `the service ${name} did not come up${within}${said === '' ? '' : ` (${said.slice(0, 300)})`}; see its command and its readiness check`,
  );
}

/** Forgets what was told about an earlier start. */
export function forgetTrouble(notes: string): void {
  rmSync(join(notes, FAILED), { force: true });
}

const FAILED = 'agentgate-service-failed';

// A service that ends by itself may have left a daemon behind, so only one that ends badly is given up early. At the
// end each has two seconds to put its things away.
const script = `
notes=$1
shift
pids=
while [ "$1" != -- ]; do
  name=$1 run=$2 ready=$3 until=$(($(date +%s) + $4))
  shift 4
  /bin/sh -c "$run" >"$notes/agentgate-service-$name" 2>&1 </dev/null &
  pid=$!
  pids="$pids $pid"
  until /bin/sh -c "$ready" >/dev/null 2>&1 </dev/null; do
    late=
    [ "$(date +%s)" -ge "$until" ] && late=yes
    kill -0 "$pid" 2>/dev/null || wait "$pid" || late=yes
    if [ -n "$late" ]; then
      echo "$name" >"$notes/${FAILED}"
      kill $pids 2>/dev/null
      exit 1
    fi
    sleep 0.05
  done
done
shift
"$@"
status=$?
kill $pids 2>/dev/null
left=40
while [ $left -gt 0 ] && kill -0 $pids 2>/dev/null; do
  sleep 0.05
  left=$((left - 1))
done
exit $status
`;

// It takes leave politely: a simple server falls over a connection that is torn down.
function portText(port: number): string {
  const ask = `require("node:net").connect(${port},"127.0.0.1").on("error",()=>process.exit(1)).on("connect",function(){this.resume().end();setTimeout(()=>process.exit(0),100)}).on("close",()=>process.exit(0))`;
  return `${quote(process.execPath)} -e ${quote(ask)}`;
}

function shellText(run: string | readonly string[]): string {
  return typeof run === 'string' ? run : run.map(quote).join(' ');
}

const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Nothing was told.
    return undefined;
  }
}
