// Arrows between rooms go down only (ARCHITECTURE.md). Reads the imports of every source file and names
// each one that points up, sideways, or at a library that belongs to another room.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { root } from './setup.mjs';

/** What a room may import: other rooms by name, packages, and whether the platform is its to touch. */
const rooms = {
  core: { rooms: [], packages: ['zod'], platform: false },
  runtime: {
    rooms: ['core'],
    packages: [
      'yaml',
      'zod',
      'saxes',
      'tap-parser',
      'smol-toml',
      'picomatch',
      '@agentclientprotocol/sdk',
      '@cfworker/json-schema',
      'jiti',
    ],
    platform: true,
  },
  lab: { rooms: ['core', 'runtime'], packages: ['zod'], platform: true },
  server: {
    rooms: ['core', 'runtime'],
    packages: ['hono', '@hono/node-server', 'zod'],
    platform: true,
  },
  cli: {
    rooms: ['core', 'runtime', 'lab', 'server'],
    packages: [
      '@stricli/core',
      '@clack/prompts',
      '@modelcontextprotocol/server',
      'jsonc-parser',
      'picocolors',
      'yaml',
      'zod',
    ],
    platform: true,
  },
  // Of the server the page knows what both agree upon, and nothing else.
  web: {
    rooms: ['core'],
    modules: ['@agentgate/server/contract', '@agentgate/server/client'],
    packages: ['preact'],
    platform: false,
  },
};

/** Inside the runtime: gates, agents and the store never know each other; the driver knows them all. */
const folders = {
  redact: [],
  process: ['redact'],
  net: [],
  workspace: ['process'],
  forge: ['net', 'process', 'workspace'],
  store: ['redact'],
  retention: ['store', 'workspace'],
  catalogue: ['store', 'driver', 'steer'],
  steer: ['process', 'workspace', 'store', 'driver', 'held'],
  spec: [],
  modules: ['process'],
  gates: ['net', 'process', 'workspace', 'forge', 'modules'],
  sandbox: ['process', 'workspace'],
  room: ['process', 'workspace', 'sandbox'],
  integrity: ['workspace', 'process'],
  seal: ['room', 'integrity', 'process', 'workspace', 'gates'],
  agents: ['process', 'workspace', 'sandbox'],
  detect: ['process', 'agents', 'spec'],
  doctor: ['process', 'workspace', 'store', 'agents', 'spec', 'detect', 'sandbox', 'retention'],
  audit: ['process', 'workspace', 'integrity', 'room', 'store'],
  proof: ['redact', 'workspace', 'store'],
  derived: ['workspace'],
  delivery: ['process', 'workspace', 'forge'],
  notify: ['process'],
  learned: ['store'],
  driver: [
    'process',
    'workspace',
    'sandbox',
    'integrity',
    'seal',
    'modules',
    'gates',
    'agents',
    'store',
    'spec',
    'derived',
    'delivery',
    'notify',
    'learned',
  ],
  controller: ['driver', 'store', 'spec', 'modules', 'gates', 'notify'],
  held: ['process', 'workspace', 'agents', 'detect', 'store', 'spec', 'driver'],
  plan: ['redact', 'process', 'workspace', 'room', 'store', 'spec', 'driver'],
};

/** Inside the page: what is shown is made without a browser, and a page in a file knows no server. */
const pageFolders = { model: [], parts: ['model'], live: ['model', 'parts'] };
const furniture = { runtime: folders, web: pageFolders };

/** The core has no clock, no chance and no environment. */
const impure =
  /\b(Date\.now|new Date\(\)|Math\.random|performance\.now|process\.|setTimeout|setInterval|console\.|fetch\(|document\.|localStorage)/;

const problems = [];
for (const [room, allowed] of Object.entries(rooms)) {
  const src = join(root, 'packages', room, 'src');
  for (const file of filesBelow(src)) {
    const text = readFileSync(file, 'utf8');
    const test = /\.test\.ts$|\/testing/.test(file);
    for (const target of importsOf(text)) check(room, src, file, target, allowed, test);
    if (room === 'server' && !test && file.startsWith(join(src, 'contract'))) checkContract(file, text);
    if (room === 'core' && !test && impure.test(withoutComments(text)))
      say(file, 'the core must stay pure', impure.exec(withoutComments(text))[0]);
  }
}
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);

function check(room, src, file, target, allowed, test) {
  if (target.startsWith('.')) return checkRelative(room, src, file, resolve(dirname(file), target));
  if (target.startsWith('@agentgate/')) {
    const other = target.split('/')[1];
    if (!allowed.rooms.includes(other) && !allowed.modules?.includes(target))
      say(file, `${room} may not know ${other}`, target);
    return;
  }
  if (test) return;
  if (target.startsWith('node:')) {
    if (!allowed.platform) say(file, `${room} may not touch the platform`, target);
    return;
  }
  const name = target.startsWith('@') ? target.split('/').slice(0, 2).join('/') : target.split('/')[0];
  if (!allowed.packages.includes(name)) say(file, `${room} may not import this package`, target);
}

function checkRelative(room, src, file, target) {
  const way = relative(src, target);
  if (way.startsWith('..')) return say(file, 'rooms are imported by name', way);
  const known = furniture[room];
  if (!known) return;
  const from = folderOf(relative(src, file));
  const to = folderOf(way);
  if (from === null || to === null || from === to) return;
  if (!known[from]?.includes(to)) say(file, `${room}/${from} may not know ${room}/${to}`, way);
}

/** What the server and the page agree upon is loaded by both, so it touches no platform and no server. */
function checkContract(file, text) {
  for (const target of importsOf(text)) {
    if (target.startsWith('node:') || target.startsWith('..') || /hono|runtime/.test(target))
      say(file, 'the contract knows the core alone', target);
  }
}

function folderOf(way) {
  const [first, ...rest] = way.split('/');
  return rest.length > 0 ? first : null;
}

function filesBelow(dir) {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return entry.name === 'fixtures' ? [] : filesBelow(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

function importsOf(text) {
  return [
    ...text.matchAll(
      /(?:^|\n)\s*(?:import|export)\b[^'"]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g,
    ),
  ].map((match) => match[1] ?? match[2]);
}

function withoutComments(text) {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
}

function say(file, what, detail) {
  problems.push(`${relative(root, file)}: ${what} (${detail})`);
}
