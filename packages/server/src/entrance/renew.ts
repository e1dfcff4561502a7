import { openLinks } from './links.ts';
import { renewToken } from './token.ts';

/** Shuts everybody out: those who know the old token, and those who have a link that was made with it. */
export function renewEntrance(stateRoot: string): void {
  renewToken(stateRoot);
  openLinks(stateRoot).clear();
}
