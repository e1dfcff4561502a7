import { hash, stableText } from '../../normalise.ts';
import { projectPlace, tell } from '../identity.ts';
import { block, type Found, type Recogniser } from './found.ts';

const worded = /^\s{0,2}(?:error|Error|ERROR|fatal|FATAL|fatal error|panic) ?: +(?<message>\S.*)$/;
const thrown = /^(?:Uncaught )?(?<message>(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception)(?: \[\w+\])?:.*)$/;
const traceback = /^(?<message>(?:[A-Za-z_]\w*\.)*[A-Z]\w*)$/;
const unloaded =
  /SyntaxError|IndentationError|ImportError|ModuleNotFoundError|ERR_MODULE_NOT_FOUND|Cannot find (?:module|package)/;

/** The last resort: lines that call themselves an error, and the exception below a Python traceback. */
export const readErrors: Recogniser = (lines) =>
  lines.flatMap((line, index): Found[] => {
    const bare =
      /^ {2,}\S/.test(lines[index - 1] ?? '') && inTraceback(lines, index) ? traceback.exec(line) : null;
    const message = (thrown.exec(line) ?? worded.exec(line) ?? bare)?.groups?.['message'];
    return message === undefined ? [] : [error(message, line, placeOf(lines, index))];
  });

type At = ReturnType<typeof projectPlace>;

function error(message: string, line: string, place: At): Found {
  const told = tell(line.trim(), place === undefined ? undefined : `at ${place.file}:${place.line}`);
  const found: Found = {
    finding: { id: `error:${hash(stableText(message), 8)}`, title: message.slice(0, 200) },
    level: 'error',
  };
  if (told !== undefined) found.finding.message = told;
  if (place !== undefined) Object.assign(found.finding, place);
  if (unloaded.test(line)) found.finding.load = true;
  return found;
}

function inTraceback(lines: readonly string[], index: number): boolean {
  return lines
    .slice(Math.max(0, index - 60), index)
    .some((line) => line.startsWith('Traceback (most recent call last)'));
}

// JavaScript prints the stack below the error, Python above it with the innermost frame last.
function placeOf(lines: readonly string[], index: number): At {
  const below = projectPlace(block(lines, index + 1, /^(?!\s+at )/).join('\n'));
  if (below !== undefined || !inTraceback(lines, index)) return below;
  const frames = lines
    .slice(Math.max(0, index - 60), index)
    .join('\n')
    .matchAll(/File "([^"/][^"]*)", line (\d+)/g);
  const last = [...frames].at(-1);
  return last?.[1] === undefined ? undefined : { file: last[1], line: Number(last[2]) };
}
