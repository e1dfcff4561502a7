#!/usr/bin/env node
'use strict';
// Asked only for the version, nothing else needs to be loaded: not even the loader of modules, which is why this
// one file is written in the older form.
const argument = process.argv[2];
if (process.argv.length === 3 && (argument === '--version' || argument === '-v')) {
  require('node:fs').writeSync(1, `${require('../package.json').version}\n`);
} else if (argument === 'hook' && process.argv[3] === 'answer' && !process.argv.includes('--help')) {
  // At every stop of every session: as little as can be.
  require('../dist/hook.cjs').answer(process.argv.slice(4));
} else {
  // From the first moment on a signal ends us with the documented code; whoever has more to end takes it over.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));
  import('../dist/main.js').then(({ main }) => main());
}
