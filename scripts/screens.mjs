// Makes the pictures of the documentation: real runs of real projects, in a real browser. npm run screens
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { writeShop } from './screens/shop.mjs';
import { root, setUp } from './setup.mjs';
import { installPrograms } from './system.mjs';

const executablePath = '/usr/bin/chromium';
const command = join(root, 'packages/cli/bin/agentgate.cjs');
const out = join(root, 'docs', 'images');

setUp();
installPrograms();
if (!existsSync(executablePath)) {
  console.error(`There is no ${executablePath}, so no pictures can be made.`);
  process.exit(1);
}
const place = mkdtempSync(join(tmpdir(), 'agentgate-screens-'));
const env = {
  PATH: process.env.PATH,
  HOME: place,
  XDG_STATE_HOME: join(place, 'state'),
  XDG_CACHE_HOME: join(place, 'cache'),
  NO_COLOR: '1',
};
const started = [];
try {
  await main();
} finally {
  for (const child of started) child.kill('SIGTERM');
  await Promise.all(started.map((child) => new Promise((done) => child.once('close', done))));
  rmSync(place, { recursive: true, force: true });
}

async function main() {
  console.log('Running the projects …');
  const inventory = join(place, 'c', 'inventory');
  cpSync(join(root, 'examples', 'plan'), inventory, { recursive: true });
  finish(inventory, 'plan', 'run');
  finish(shop('b', 'shop-search', { steps: 5, title: 'Let the search ignore accents' }), 'run');
  finish(shop('a', 'shop', {}), 'run');
  start(
    shop('d', 'shop-checkout', {
      title: 'Count a coupon once at the checkout',
      gates: '  review: { kind: approval, message: "Is the new checkout ready to ship?" }',
    }),
    'run',
  );
  const live = shop('e', 'shop-mail', { from: 3, title: 'Escape names in mails' });
  start(live, 'run');
  const server = start(place, 'serve', '--port', '0');
  const link = await linkOf(server);
  const url = new URL(link).origin;

  const profile = join(place, 'profile');
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto(link);
  await page.waitForURL(`${url}/`);
  await page.getByText('waits for you').waitFor();
  mkdirSync(out, { recursive: true });
  const shots = {
    runs: { height: 620 },
    run: { open: 'shop', height: 900 },
    stuck: { open: 'shop-search', act: whatIf, height: 720, from: 'section[aria-labelledby=what-if]' },
    iteration: { open: 'shop', act: findings, height: 560, from: 'section[aria-label^=Iteration]' },
    spending: { open: 'shop', height: 560, from: 'section[aria-labelledby=spending]' },
    plans: { at: 'plans', height: 260 },
    plan: { at: 'plans', act: openPlan, height: 900 },
    approvals: { at: 'inbox', height: 420 },
  };
  for (const colorScheme of ['light', 'dark']) {
    for (const [name, shot] of Object.entries(shots)) await take(name, shot, { colorScheme, width: 1200 });
  }
  for (const colorScheme of ['light', 'dark'])
    await take('phone', { open: 'shop', height: 1200 }, { colorScheme, width: 375 });
  await context.close();

  async function take(name, { at = '', open, act, height, from }, { colorScheme, width }) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height });
    await page.goto('about:blank');
    await page.goto(`${url}/#/${at}`);
    await page.locator('main h1').first().waitFor();
    if (open) {
      await page
        .locator('tr', { hasText: `${open} ·` })
        .locator('a')
        .first()
        .click();
      await page.getByRole('slider', { name: 'Iteration' }).waitFor();
    }
    await act?.();
    // Everything that a page shows was asked for by now; a frame later it is drawn.
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    if (from) await page.locator(from).evaluate((element) => element.scrollIntoView({ block: 'end' }));
    const path = join(out, `${name}-${colorScheme}.png`);
    writeFileSync(path, await page.screenshot());
    console.log(`${path.slice(root.length + 1)}: ${Math.round(statSync(path).size / 1000)} kB`);
  }

  async function whatIf() {
    await page.getByRole('button', { name: 'Replay under the other strategies' }).click();
    await page.locator('.what-if tbody tr').nth(3).waitFor();
  }

  async function findings() {
    await page.getByRole('slider', { name: 'Iteration' }).press('ArrowLeft');
    await page.getByRole('tab', { name: /^Findings/ }).click();
  }

  async function openPlan() {
    await page.locator('td.main-cell a').first().click();
    await page.locator('.plan-graph').waitFor();
  }
}

function shop(folder, name, options) {
  const dir = join(place, folder, name);
  mkdirSync(dir, { recursive: true });
  writeShop(dir, options);
  return dir;
}

function finish(cwd, ...args) {
  spawnSync(process.execPath, [command, ...args], { cwd, env, stdio: 'ignore' });
}

function start(cwd, ...args) {
  const child = spawn(process.execPath, [command, ...args], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  return child;
}

function linkOf(server) {
  let said = '';
  return new Promise((done, fail) => {
    server.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
      const link = /https?:\/\/\S+\/login\?code=[\w-]+/.exec(said);
      if (link) done(link[0]);
    });
    server.once('close', () => fail(new Error(`the server ended: ${said}`)));
  });
}
