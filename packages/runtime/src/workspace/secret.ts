/** Whether a file of this name usually holds a secret. Such a file is copied nowhere unless its owner tracks it. */
export function looksSecret(name: string): boolean {
  return !EXAMPLES.has(name) && PATTERNS.some((pattern) => pattern.test(name));
}

const EXAMPLES = new Set(['.env.example', '.env.sample', '.env.template']);
const PATTERNS = [/^\.env(\..*)?$/s, /\.pem$/, /\.key$/, /^id_rsa/, /^id_ed25519/];
