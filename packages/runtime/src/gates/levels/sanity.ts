import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Finding } from '@agentgate/core';
import { readRegularFile } from '../../regular-file.ts';
import { boundedCall } from '../bounded-call.ts';
import { quote } from '../failed.ts';
import { viewRoot } from '../in-room.ts';
import { hash } from '../normalise.ts';
import { stopped } from '../step.ts';
import { add, type Level, type LevelsGate, nothingSeen } from './level.ts';
import { matcher } from './matcher.ts';
import { type Warnings, watchWarnings } from './warnings.ts';

type Sanity = NonNullable<LevelsGate['sanity']>;

/** L3: signs of carelessness. Sizes and forbidden texts fail; the rest is said and fails nothing. */
export const judgeSanity: Level = async ({ request, gate, files, untilMs }) => {
  const { sanity } = gate;
  if (sanity === undefined) return nothingSeen();
  const seen = nothingSeen();
  const paths = await files();
  const rules = sanity.forbidText.map((rule) => ({
    ...rule,
    fits: matcher(rule.files),
    found: [] as Finding[],
  }));
  const large: Finding[] = [];
  const warnings = watchWarnings(sanity);
  for (const [at, path] of paths.entries()) {
    // Without a turn of the event loop now and then a stop would not be heard.
    if (at % 100 === 99) await setImmediate();
    if (request.signal.aborted) return stopped;
    if (performance.now() > untilMs) {
      return { kind: 'halt', verdict: { kind: 'timed-out', afterMs: request.timeoutMs, excerpt: '' } };
    }
    const full = join(viewRoot(request), path);
    large.push(...sizeOf(full, path, sanity.maxFileSize));
    readText(full, path, rules, warnings);
  }
  add(seen, 'files to look at', paths.length > 0 ? [] : [{ id: 'empty', title: 'the project has no files' }]);
  add(seen, `no file over ${sanity.maxFileSize} bytes`, large);
  for (const { text, matches, found } of rules) add(seen, `no ${text ?? `/${matches}/`}`, found);
  seen.notes.push(...warnings.say());
  return seen;
};

const specFile = /^agentgate\.(?:ya?ml|json|[cm]?[jt]s)$/;

type TextRule = Sanity['forbidText'][number] & { fits(path: string): boolean; found: Finding[] };

function sizeOf(full: string, path: string, most: number): Finding[] {
  const entry = lstatSync(full, { throwIfNoEntry: false });
  if (!entry?.isFile() || entry.size <= most) return [];
  const title = `${path} is larger than ${Math.round(most / 1024)} KB`;
  return [{ id: `size:${path}`, title, file: path, message: `it has ${Math.round(entry.size / 1024)} KB` }];
}

function readText(full: string, path: string, rules: readonly TextRule[], warnings: Warnings): void {
  // The spec names what it forbids, and would always be found.
  const wanted = rules.filter((rule) => rule.fits(path) && !specFile.test(path));
  const isLink = lstatSync(full, { throwIfNoEntry: false })?.isSymbolicLink() ?? true;
  const text = isLink || (wanted.length === 0 && !warnings.wants(path)) ? '' : (readRegularFile(full) ?? '');
  // A file with a zero byte is no text that anybody wrote.
  const readable = text.includes('\0') ? '' : text;
  warnings.see(path, readable);
  for (const rule of wanted) {
    const line = lineOf(readable, rule);
    if (line === undefined) continue;
    const what = rule.text === undefined ? `/${rule.matches}/` : quote(rule.text);
    const title = `${path} must not contain ${what}`;
    rule.found.push({ id: `text:${path}:${hash(what, 8)}`, title, file: path, line });
  }
}

function lineOf(content: string, { text, matches }: Sanity['forbidText'][number]): number | undefined {
  const at =
    text === undefined
      ? boundedCall(() => content.search(new RegExp(matches ?? '', 'mu')))
      : content.indexOf(text);
  // A pattern that never ends has not shown that the text is absent.
  if (at === 'too-long') return 1;
  return at === -1 ? undefined : content.slice(0, at).split('\n').length;
}
