import { spawnSync } from 'node:child_process';

/** Whether bubblewrap works here; tests that need it are skipped otherwise. */
export const hasSandbox =
  spawnSync('sh', ['-c', 'bwrap --ro-bind / / true'], { stdio: 'ignore' }).status === 0;
