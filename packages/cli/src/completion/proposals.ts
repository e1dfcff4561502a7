import { strategies } from '@agentgate/core';
import { findHome, findSpecFile, namesIn, openRunStore } from '@agentgate/runtime';

/** Where a word is to be completed. */
interface Here {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The values that a shell can propose. One that cannot be read proposes nothing. */
export const propose = {
  /** The runs of this workspace, the newest first. */
  runs(this: Here): string[] {
    return openRunStore(findHome(this.cwd, this.env).runs).list();
  },
  /** The gates of the spec file, to be followed by the command that takes their place. */
  gates(this: Here): string[] {
    const { gates } = namesIn(findSpecFile(this.cwd));
    return gates.filter((name) => /^[a-z][\w.-]*$/.test(name)).map((name) => `${name}=`);
  },
  strategies: (): string[] => strategies.describe().map(({ type }) => type),
};
