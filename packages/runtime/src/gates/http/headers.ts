import { type Fault, fault } from '@agentgate/core';
import { bodyOf, type HttpGate } from './gate.ts';

/** The headers as they are sent, and what of them nobody may see. */
export type Headers =
  | { kind: 'headers'; headers: Record<string, string>; hide(text: string): string }
  | { kind: 'unable'; fault: Fault };

/** Puts the values of the environment into the headers. */
export function fillHeaders(gate: HttpGate, environment: NodeJS.ProcessEnv): Headers {
  const headers: Record<string, string> = {};
  const secrets: string[] = [];
  for (const [name, value] of Object.entries(gate.headers)) {
    let missing: string | undefined;
    headers[name] = value.replaceAll(/\$\{([A-Za-z_]\w*)\}/g, (_, variable: string) => {
      const found = environment[variable];
      if (found === undefined || found === '') missing = variable;
      else secrets.push(found);
      return found ?? '';
    });
    if (missing !== undefined) return { kind: 'unable', fault: absentFault(gate.name, name, missing) };
    if (/[\r\n\0]/.test(headers[name] ?? '')) return { kind: 'unable', fault: brokenFault(gate.name, name) };
  }
  const isJson = gate.body !== undefined && typeof gate.body !== 'string';
  const named = Object.keys(headers).map((name) => name.toLowerCase());
  if (isJson && !named.includes('content-type')) headers['content-type'] = 'application/json';
  const body = bodyOf(gate);
  if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body));
  return { kind: 'headers', headers, hide: (text) => hide(text, secrets) };
}

/** An answer may repeat what it was sent. */
function hide(text: string, secrets: readonly string[]): string {
  return secrets
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
}

function absentFault(gate: string, header: string, variable: string): Fault {
  return fault(
    'gate.environment',
    `gate ${gate} cannot send its header ${header}: the variable ${variable} is not set; set it, or correct the header`,
  );
}

function brokenFault(gate: string, header: string): Fault {
  return fault(
    'gate.environment',
    `gate ${gate} cannot send its header ${header}: its value has more than one line; correct the variable it takes`,
  );
}
