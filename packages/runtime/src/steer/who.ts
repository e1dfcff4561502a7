import { userInfo } from 'node:os';

/** The name of the user whose process this is. */
export function whoAmI(): string {
  try {
    return userInfo().username;
  } catch {
    // Some containers give their user no name.
    return String(process.getuid?.() ?? 'somebody');
  }
}
