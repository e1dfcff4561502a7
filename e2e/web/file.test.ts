import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { embedRun, type RunFile } from '@agentgate/core';
import { failed, play, specOf } from '@agentgate/core/testing';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { agentgate, makePlace, type Place } from '../support/command.ts';
import { type Browser, fitsWidth, hasBrowser, seriousFaults, startBrowser } from './support/browser.ts';
import { corpus } from './support/corpus.ts';
import { prepareHostile } from './support/hostile.ts';

describe.skipIf(!hasBrowser)('a run as one page (needs /usr/bin/chromium)', () => {
  let place: Place;
  let browser: Browser;
  let url: string;
  beforeAll(async () => {
    place = makePlace();
    prepareHostile(place);
    await agentgate(place, 'run');
    const made = await agentgate(place, 'show', '--html', 'run.html');
    expect([made.exit, made.stderr]).toEqual([0, expect.stringContaining('is in run.html')]);
    url = pathToFileURL(join(place.workspace, 'run.html')).href;
    browser = await startBrowser();
  });
  afterEach(() => browser.clear());
  afterAll(async () => {
    await browser?.close();
    place?.remove();
  });

  const openRun = async (look?: Parameters<Browser['open']>[0]) => {
    const opened = await browser.open(look);
    await opened.page.goto(url);
    await opened.page.getByRole('slider', { name: 'Iteration' }).waitFor();
    return opened;
  };
  const texts = (page: Page, selector: string) => page.locator(selector).allTextContents();

  it('asks nobody for anything, and holds everything that was said as text', async () => {
    const { page, asked, problems } = await openRun();
    const slider = page.getByRole('slider', { name: 'Iteration' });
    await slider.press('Home');
    await page.getByRole('tab', { name: /^Findings/ }).click();
    const titles = await texts(page, '.groups li');
    expect(corpus.filter((text) => !titles.some((one) => one.includes(text)))).toEqual([]);
    await slider.press('End');
    await page.getByRole('tab', { name: 'Agent' }).click();
    await page.locator('[role=tabpanel] pre.output').waitFor();
    const printed = (await texts(page, 'pre.output')).join('\n');
    expect(corpus.filter((text) => !printed.includes(text))).toEqual([]);
    await slider.press('ArrowLeft');
    await page.getByRole('tab', { name: /^Changes/ }).click();
    await page.locator('.lines').first().waitFor();
    const changed = (await texts(page, '.lines')).join('\n');
    expect(corpus.filter((text) => !changed.includes(text))).toEqual([]);
    await page.getByRole('tab', { name: /^Gates/ }).click();
    await page.locator('.gate-line button').click();
    await page.getByText(corpus[40]!).first().waitFor();
    for (let at = 0; at < 10; at++) await page.locator('.finding button').nth(at).hover();

    expect(await page.evaluate('window.pwned')).toBeUndefined();
    expect(problems).toEqual([]);
    expect(asked.filter((one) => one !== url)).toEqual([]);
    expect(await page.locator('script').count()).toBe(2);
    const foreign = 'img, iframe, object, embed, link, base, form, video, audio, marquee, template, math';
    expect(await page.locator(foreign).count()).toBe(0);
  });

  it('tells the same as the terminal', async () => {
    const { page } = await openRun();
    const explained = (await agentgate(place, 'explain')).stdout;
    expect(await page.locator('.story .lead').textContent()).toContain('Iteration 2 was the last');
    expect(explained).toContain('Iteration 2 was the last');
    await page.getByRole('button', { name: /ended diverged/ }).click();
    await page.getByText('strategy.iterations').first().waitFor();
  });

  it('is worked with the keyboard alone', async () => {
    const { page } = await openRun();
    const slider = page.getByRole('slider', { name: 'Iteration' });
    await slider.focus();
    await page.keyboard.press('Home');
    expect(await slider.getAttribute('aria-valuetext')).toContain('Baseline: 50 failing');
    await page.getByRole('heading', { name: 'Baseline' }).waitFor();
    await page.keyboard.press('End');
    await page.getByRole('heading', { name: 'Iteration 2' }).waitFor();
    await page.getByRole('tab', { name: 'Story' }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.getByRole('tab', { name: /^Findings/ }).getAttribute('aria-selected')).toBe('true');
  });

  it('is as clear in the dark as in the light, and as wide as the window', async () => {
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1280, 375]) {
        const { page } = await openRun({ colorScheme, width });
        expect([colorScheme, width, await seriousFaults(page)]).toEqual([colorScheme, width, []]);
        expect(await fitsWidth(page)).toBe(true);
      }
  });

  it('may load and send nothing, says its own policy', () => {
    const page = readFileSync(join(place.workspace, 'run.html'), 'utf8');
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '';
    expect(policy.split('; ').slice(0, 1)).toEqual(["default-src 'none'"]);
    expect(policy).not.toContain('unsafe');
  });
});

describe.skipIf(!hasBrowser)('a run of a thousand iterations and ten thousand findings', () => {
  let browser: Browser;
  const folder = mkdtempSync(join(tmpdir(), 'agentgate-large-'));
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is drawn in part: few elements, and a key or a scroll is answered at once', async () => {
    const template = new URL('../../packages/cli/dist/web/run.html', import.meta.url);
    const path = join(folder, 'large.html');
    writeFileSync(path, embedRun(readFileSync(template, 'utf8'), runOf(1_000, 10_000)));
    const { page } = await browser.open();
    await page.goto(pathToFileURL(path).href);
    const slider = page.getByRole('slider', { name: 'Iteration' });
    await slider.waitFor();
    expect(await slider.getAttribute('aria-valuemax')).toBe('1000');
    expect(await page.getByRole('heading', { name: /10000 findings/ }).count()).toBe(1);
    expect(await page.evaluate<number>("document.querySelectorAll('*').length")).toBeLessThan(6_000);
    const twentyKeysMs = async (from: Page, last: string) => {
      await from.getByRole('slider', { name: 'Iteration' }).focus();
      const began = performance.now();
      for (let key = 0; key < 20; key++) await from.keyboard.press('ArrowLeft');
      await from.getByRole('heading', { name: last }).waitFor();
      return performance.now() - began;
    };
    const largeMs = await twentyKeysMs(page, 'Iteration 980');
    const smallPath = join(folder, 'small.html');
    writeFileSync(smallPath, embedRun(readFileSync(template, 'utf8'), runOf(30, 400)));
    const { page: small } = await browser.open();
    await small.goto(pathToFileURL(smallPath).href);
    // A key redraws what is in sight. A run of thirty iterations tells what that takes on this machine just now.
    expect(largeMs).toBeLessThan(20 * (await twentyKeysMs(small, 'Iteration 10')));
    await page.locator('.finding-scroller').evaluate((list) => list.scrollTo(0, 1e6));
    await page.locator('.finding[aria-posinset="10000"]').waitFor();
    await page.getByRole('searchbox').fill('case 777 ');
    // 777, and 7770 to 7779.
    await expect.poll(() => page.locator('.finding').count()).toBe(11);
  });
});

function runOf(iterations: number, count: number): RunFile {
  const findings = Array.from({ length: count }, (_, at) => `case ${at} `);
  const spec = specOf({
    strategy: { kind: 'fixed', iterations },
    limits: { iterations, wallClock: '400h' },
    detectors: { enabled: false },
  });
  const { events } = play(spec, {
    turn: (at) => ({ tree: `tree ${at}` }),
    judge: (_, __, at) =>
      failed(at === 0 ? findings : findings.filter((_, index) => index % 200 === at % 200)),
  });
  return { v: 1, version: 'test', at: '', standing: 'diverged', events, texts: {}, diffs: {} };
}

describe('the script of the dashboard', () => {
  it('is at most 250 kB compressed', () => {
    const script = readFileSync(new URL('../../packages/cli/dist/web/app.js', import.meta.url));
    expect(gzipSync(script).length).toBeLessThan(250_000);
  });
});
