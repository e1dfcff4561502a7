// Makes the page: one script, one style sheet, and the same in one file that a run can be written into.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from './setup.mjs';

const src = join(root, 'packages', 'web', 'src');

/** The files of the page by their names, and the modules that they are made of. */
export async function makePage() {
  const [app, file] = await Promise.all([bundle('main.tsx'), bundle('file.tsx')]);
  const style = makeStyle();
  // The end of a script element is the end of it wherever it stands.
  const script = file.code.replaceAll('</script', '<\\/script');
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const parts = { policy, style, script };
  const template = readFileSync(join(src, 'file.html'), 'utf8');
  return {
    files: {
      'web/index.html': readFileSync(join(src, 'index.html'), 'utf8'),
      'web/favicon.svg': readFileSync(join(src, 'favicon.svg'), 'utf8'),
      'web/app.css': style,
      'web/app.js': app.code,
      'web/run.html': template.replaceAll(/\{(policy|style|script)\}/g, (_, name) => parts[name]),
    },
    modules: [...app.modules, ...file.modules],
  };
}

async function bundle(entry) {
  const build = await rolldown({
    input: join(src, entry),
    platform: 'browser',
    resolve: { conditionNames: ['@agentgate/source', 'browser', 'import', 'default'] },
    transform: { jsx: { runtime: 'automatic', importSource: 'preact' }, target: 'es2022' },
    tsconfig: false,
    logLevel: 'warn',
  });
  const { output } = await build.generate({ format: 'esm', minify: true, codeSplitting: false });
  await build.close();
  const [{ code, moduleIds }] = output;
  return { code: code.trim(), modules: moduleIds };
}

function makeStyle() {
  const dir = join(src, 'styles');
  const text = readdirSync(dir)
    .sort()
    .map((name) => readFileSync(join(dir, name), 'utf8'))
    .join('\n');
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,>]) ?/g, '$1')
    .replaceAll(';}', '}')
    .trim();
}

const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
