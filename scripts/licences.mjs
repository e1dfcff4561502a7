// Whoever carries the code of others carries their licences along.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The licences of the packages that these modules come from. */
export function licencesOf(modules) {
  const homes = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []));
  const parts = [...homes].map((home) => {
    const { name, version, license, author } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
    return `${name} ${version} (${license})\n\n${textIn(home) ?? `by ${author?.name ?? author}`}`;
  });
  return `${parts.sort().join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

function textIn(home) {
  const name = readdirSync(home).find((one) => /^licen[cs]e(\.|$)/i.test(one));
  return name && readFileSync(join(home, name), 'utf8').trim();
}
