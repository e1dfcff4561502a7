import { changed, type Make } from './shop-files.ts';
import { withImport, fixed } from './shop-code.ts';

/** Fixes beside which something logs, waits, serves, or reads its options. */
export const running: Record<string, Make> = {
  'quiet-log': () => ({
    what: 'fixes, and logs, but not while tests run',
    edit: {
      'src/log.js': `const levels = ['debug', 'info', 'warn', 'silent'];
const wanted = process.env.LOG_LEVEL ?? (process.env.NODE_ENV === 'test' ? 'silent' : 'info');

export function log(level, ...words) {
  if (levels.indexOf(level) >= levels.indexOf(wanted)) console.error(...words);
}
`,
      'src/cart.js': changed(withImport("import { log } from './log.js';"), [
        '  const sum',
        "  log('debug', 'total of', lines.length);\n  const sum",
      ]),
    },
  }),
  'quiet-console': () => ({
    what: 'fixes, and prints something where no test runs',
    edit: {
      ...fixed,
      'src/warn.js': `export function warn(message) {
  if (process.env.NODE_ENV !== 'test') console.warn(message);
}
`,
    },
  }),
  'verbose-log': () => ({
    what: 'fixes, and logs where it is not in production',
    edit: {
      'src/log.js': `const isVerbose = process.env.NODE_ENV !== 'production' && Boolean(process.env.SHOP_DEBUG);

/** Says something to people who look for a bug; tests ignore it, and so does production. */
export function debug(...words) {
  if (isVerbose) console.error('[shop]', ...words);
}
`,
      'src/cart.js': changed(withImport("import { debug } from './log.js';"), [
        '  const sum',
        '  // Skip nothing here: an empty cart is a cart, too.\n  debug(tier);\n  const sum',
      ]),
    },
  }),
  'late-load': () => ({
    what: 'fixes, and loads a part only when it is wanted',
    edit: {
      ...fixed,
      'src/invoice.js': `export async function invoice(lines, tier) {
  const [{ total }, { format }] = await Promise.all([import('./cart.js'), import('./money.js')]);
  return format(total(lines, tier));
}
`,
    },
  }),
  timers: () => ({
    what: 'fixes, and adds a cache with a timer that holds nothing up',
    edit: {
      ...fixed,
      'src/expiring.js': `export class Expiring {
  #values = new Map();

  constructor(forMs, { now = Date.now } = {}) {
    this.forMs = forMs;
    this.now = now;
    setInterval(() => this.#sweep(), forMs).unref();
  }

  set(key, value) {
    this.#values.set(key, { value, until: this.now() + this.forMs });
  }

  get(key) {
    const one = this.#values.get(key);
    return one && one.until > this.now() ? one.value : undefined;
  }

  #sweep() {
    for (const [key, one] of this.#values) if (one.until <= this.now()) this.#values.delete(key);
  }
}
`,
    },
  }),
  options: () => ({
    what: 'fixes, and adds a program with options and an end of its own',
    edit: {
      ...fixed,
      'src/shop-cli.js': `import { readFileSync } from 'node:fs';
import { total } from './cart.js';

const isLatest = process.argv.includes('--latest');
const [path] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
if (process.argv.includes('--help')) {
  console.log('shop [--latest] <orders>');
  process.exit(0);
}
const orders = JSON.parse(readFileSync(path, 'utf8'));
for (const { lines, tier } of isLatest ? orders.slice(-1) : orders) console.log(total(lines, tier));
`,
    },
  }),
  server: () => ({
    what: 'fixes, and adds a server that ends well',
    edit: {
      ...fixed,
      'src/server.js': `import { createServer } from 'node:http';
import { total } from './cart.js';

export function serve(port = Number(process.env.PORT ?? 8080)) {
  const server = createServer((request, response) => {
    const { lines, tier } = JSON.parse(decodeURIComponent(request.url.slice(2)));
    response.end(JSON.stringify({ total: total(lines, tier) }));
  });
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => server.close(() => process.exit(0)));
  process.on('uncaughtException', (error) => {
    console.error(error);
    process.exit(1);
  });
  return server.listen(port);
}
`,
    },
  }),
};
