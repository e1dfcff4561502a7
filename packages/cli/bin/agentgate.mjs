#!/usr/bin/env node
// Asked only for the version, nothing else needs to be loaded.
import { createRequire } from 'node:module';

const argument = process.argv[2];
if (process.argv.length === 3 && (argument === '--version' || argument === '-v')) {
  process.stdout.write(`${createRequire(import.meta.url)('../package.json').version}\n`);
} else {
  const { main } = await import('../dist/main.js');
  await main();
}
