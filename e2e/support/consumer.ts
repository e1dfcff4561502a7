/** The settings of a project that builds on the libraries and trusts no types unchecked. */
export const strictProject = (typeRoot: string) => ({
  compilerOptions: {
    target: 'es2023',
    module: 'nodenext',
    moduleResolution: 'nodenext',
    strict: true,
    // A condition of other people's projects, which must lead nowhere here.
    customConditions: ['source'],
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
    types: ['node'],
    typeRoots: [typeRoot],
  },
  files: ['use.ts'],
});

/** What is no longer a type would pass as anything, so each line that must be refused is marked. */
export const use = `import { type Event, type Finding, parseSpec, type Verdict } from '@agentgate/core';
import { findSpecFile, loadSpec, openHome, type WorkspaceHome } from '@agentgate/runtime';

const parsed = parseSpec({ task: 'x', gates: { tests: { run: 'npm test' } } });
// @ts-expect-error
const wrong: number = parsed;
export const kindOf = (event: Event): Event['kind'] => event.kind;
// @ts-expect-error
export const unknownKind = (event: Event): boolean => event.kind === 'never.heard-of';
export const findingsOf = (verdict: Verdict): readonly Finding[] =>
  verdict.kind === 'failed' ? verdict.findings : [];
export const home: WorkspaceHome = openHome('.', process.env);
// @ts-expect-error
openHome(7);
export const loaded = await loadSpec(home.root, findSpecFile(home.root), []);
export { wrong };
`;
