/** The program of a command when it is a file of the project, such as `./bin/tool`: work that may not be done yet. */
export function ownProgram(run: string | readonly string[]): string | undefined {
  const program = typeof run === 'string' ? run.trim().split(/\s+/)[0] : run[0];
  const isOwn = program !== undefined && program.includes('/') && !/^[/~"'$`]/.test(program);
  return isOwn ? program : undefined;
}
