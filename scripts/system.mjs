// Programs of the system that some tests need. Installed where that may be done without asking: as root on Debian.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const wanted = {
  zsh: 'zsh',
  fish: 'fish',
  bwrap: 'bubblewrap',
  strace: 'strace',
  jq: 'jq',
  chromium: 'chromium',
};

/** Installs what is missing, and says what stays missing; its tests are skipped visibly then. */
export function installPrograms() {
  const missing = Object.keys(wanted).filter((program) => !has(program));
  if (missing.length === 0) return;
  const may = process.getuid?.() === 0 && existsSync('/etc/debian_version') && has('apt-get');
  if (may) {
    console.error(`Installing ${missing.join(', ')} for their tests …`);
    const options = {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    };
    spawnSync('apt-get', ['update', '-qq'], options);
    spawnSync(
      'apt-get',
      ['install', '-qq', '-y', '--no-install-recommends', ...missing.map((one) => wanted[one])],
      options,
    );
  }
  const still = missing.filter((program) => !has(program));
  if (still.length > 0) console.error(`Not here, so their tests are skipped: ${still.join(', ')}.`);
}

const has = (program) => spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0;
