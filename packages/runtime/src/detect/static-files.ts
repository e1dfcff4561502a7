import type { Ecosystem } from './ecosystem.ts';
import { nodeTests } from './built-in-tests.ts';
import { artifactGate } from './proposed-gate.ts';
import { nodeSyntax, shellSyntax } from './syntax.ts';

/** Scripts and pages without any manifest. */
export const staticFiles: Ecosystem = {
  name: 'scripts',
  look(project) {
    const any = project.files().some((path) => /\.([cm]?js|sh)$|(^|\/)index\.html$/.test(path));
    return any ? nodeTests(project) : null;
  },
  lookWithoutTests(project, gates) {
    if (gates.length > 0) return [];
    const scripts = [nodeSyntax(project), shellSyntax(project)].find((found) => found.length > 0);
    if (scripts) return scripts;
    return project.has('index.html') ? [artifactGate(['index.html'], 'nothing else was found')] : [];
  },
  firstTest: 'write test/first.test.js with node:test, which node --test finds and runs by itself',
};
