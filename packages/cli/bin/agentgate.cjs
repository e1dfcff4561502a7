#!/usr/bin/env node
'use strict';
// Asked only for the version, nothing else needs to be loaded: not even the loader of modules, which is why this
// one file is written in the older form.
const argument = process.argv[2];
if (process.argv.length === 3 && (argument === '--version' || argument === '-v')) {
  require('node:fs').writeSync(1, `${require('../package.json').version}\n`);
} else {
  import('../dist/main.js').then(({ main }) => main());
}
