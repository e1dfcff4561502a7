import { FaultError, fault } from '@agentgate/core';
import type { Override } from '@agentgate/runtime';
import { parseDocument } from 'yaml';

/** Reads `limits.maxWait=2h`: the path of an option, and its value as a spec file would write it. */
export function readSet(text: string): Override {
  const { path, rest } = readPath(text);
  if (path.length === 0 || path.includes('') || !rest.startsWith('=')) {
    const message = `--set: expected path=value, such as limits.maxWait=2h or gates."unit tests".timeout=5m, found "${text}"`;
    throw new FaultError(fault('usage', message));
  }
  return {
    flag: `--set ${text.slice(0, text.length - rest.length)}`,
    path,
    value: valueOf(rest.slice(1), text),
  };
}

/** A path of names with dots between them; a name with dots or spaces stands in quotes. */
function readPath(text: string): { path: string[]; rest: string } {
  const path: string[] = [];
  let rest = text;
  for (;;) {
    const [whole = '', quoted, plain] = /^(?:"([^"]*)"|([^.="]*))/.exec(rest) ?? [];
    path.push(quoted ?? plain ?? '');
    rest = rest.slice(whole.length);
    if (!rest.startsWith('.')) return { path, rest };
    rest = rest.slice(1);
  }
}

function valueOf(text: string, flag: string): unknown {
  const document = parseDocument(text, { prettyErrors: false });
  const [error] = document.errors;
  if (!error) return document.toJS();
  const message = `--set ${flag}: the value cannot be read as YAML: ${error.message}`;
  throw new FaultError(fault('usage', message));
}

/** A number, true or false where the text is one; the text itself otherwise. */
export function scalarOf(text: string): unknown {
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  return text === 'true' ? true : text === 'false' ? false : text;
}
