import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { type BrowserContext, chromium, type Page } from 'playwright-core';

const executablePath = '/usr/bin/chromium';

/** Where there is no browser the tests are skipped, and that is seen; where the product is judged there must be one. */
export const hasBrowser = existsSync(executablePath);
if (!hasBrowser && process.env['CI']) throw new Error(`there is no ${executablePath}; CI needs it`);

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface Look {
  width?: number;
  height?: number;
  colorScheme?: 'light' | 'dark';
}

/** A real browser with a profile of its own. */
export interface Browser {
  context: BrowserContext;
  /** A page that nothing of the outside can reach; what it asked for is in `asked`. */
  open(look?: Look): Promise<{ page: Page; asked: string[]; problems: string[] }>;
  /** Closes the pages and keeps the browser. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

export async function startBrowser(): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'agentgate-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    args,
    headless: true,
    reducedMotion: 'reduce',
  });
  // What a test waits for comes from real processes; how soon is not what it is about.
  context.setDefaultTimeout(150_000);
  return {
    context,
    async open({ width = 1280, height = 900, colorScheme = 'light' } = {}) {
      const page = await context.newPage();
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const asked: string[] = [];
      const problems: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      page.on('pageerror', (error) => problems.push(String(error)));
      page.on('dialog', (dialog) => {
        problems.push(`a dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      // What the policy of the page refuses was markup of somebody else, and that is a fault already.
      page.on('console', (message) => {
        if (/Content Security Policy|Content-Security-Policy/.test(message.text()))
          problems.push(message.text());
      });
      return { page, asked, problems };
    },
    async clear() {
      for (const page of context.pages().slice(1)) await page.close();
    },
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** What axe calls serious or worse, in words. */
export async function seriousFaults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary}`),
    );
}

/** Whether everything fits into the width of the window, and nothing that is chosen from is cut off by its card. */
export const fitsWidth = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>(
    `document.documentElement.scrollWidth <= document.documentElement.clientWidth &&
      [...document.querySelectorAll('.card select, .card input, .asking input, dialog select')].every(
        (one) => one.getBoundingClientRect().right <= one.closest('.card, .asking, dialog').getBoundingClientRect().right,
      )`,
  );
