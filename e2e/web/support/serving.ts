import { type ChildProcess } from 'node:child_process';
import type { Page } from 'playwright-core';
import { type Place, start } from '../../support/command.ts';
import type { Browser, Look } from './browser.ts';

/** `agentgate serve` in a process of its own. */
export interface Serving {
  url: string;
  /** Lets one browser in, once. */
  link: string;
  port: number;
  stop(): Promise<void>;
}

export async function startServer(place: Place, port = 0, more: readonly string[] = []): Promise<Serving> {
  const { child, ended } = start(place, ['serve', '--port', String(port), ...more]);
  const link = await firstLink(child);
  const url = new URL(link);
  return {
    url: url.origin,
    link,
    port: Number(url.port),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function firstLink(child: ChildProcess): Promise<string> {
  let said = '';
  return new Promise((done, fail) => {
    const hear = (chunk: string) => {
      said += chunk;
      const link = /https?:\/\/\S+\/login\?code=[\w-]+/.exec(said);
      if (link) done(link[0]);
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.on('close', () => fail(new Error(`the server ended: ${said}`)));
  });
}

/** Lets the browser in by the link, as a person does. */
export async function signIn(browser: Browser, { link, url }: Serving): Promise<void> {
  const { page } = await browser.open();
  await page.goto(link);
  await page.waitForURL(`${url}/`);
  await page.getByRole('heading', { name: 'Runs' }).waitFor();
  await page.close();
}

/** Opens one of the pages by what stands behind the `#`. */
export async function openAt(browser: Browser, { url }: Serving, place: string, look?: Look) {
  const opened = await browser.open(look);
  await opened.page.goto(`${url}/#/${place}`);
  return opened;
}

/** A run, found in the list as a person finds it; the newest where no word of it is said. */
export async function openRun(browser: Browser, serving: Serving, word = '', look?: Look) {
  const opened = await openAt(browser, serving, '', look);
  await opened.page.locator('td.main-cell a', { hasText: word }).first().click();
  await opened.page.getByRole('slider', { name: 'Iteration' }).waitFor();
  return opened;
}

/** What the page says, without clocks, which never stand still. */
export async function saidOn(page: Page): Promise<string> {
  const text = await page.locator('main').innerText();
  return text.replaceAll(/ · [\d.]+m?s$/gm, '').replaceAll(/[\dhms. ]+s\s+of /g, ' of ');
}
