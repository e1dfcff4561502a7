import { buildCommand } from '@stricli/core';
import { type CommonFlags, type Context, common, commonAliases, guarded } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { parsed, repeated } from '../flag.ts';
import type { ServeWish } from '../serve-here.ts';
import { hearSignals } from '../signals.ts';

interface Flags extends CommonFlags {
  host?: string;
  port?: number;
  tlsCert?: string;
  tlsKey?: string;
  withoutTls?: boolean;
  allowHost?: readonly string[];
  spec?: readonly string[];
  open?: boolean;
  newToken?: boolean;
}

const act = guarded(async function serve(this: Context, flags: Flags): Promise<number> {
  const { linkHere, serveHere, showPage } = await import('../serve-here.ts');
  const running = asksForNothing(flags) ? linkHere(this) : null;
  if (running) {
    say(this, flags, running, 'A server runs already.');
    if (flags.open) showPage(this, running.link);
    return exitCode.ok;
  }
  const serving = await serveHere(this, wishOf(flags));
  const over = new Promise<void>((done) => {
    const unhook = hearSignals((_, times) => {
      // Whoever asks twice does not want to wait for readers to be told.
      if (times > 1) process.exit(exitCode.ok);
      unhookLater(unhook);
      done();
    });
  });
  say(this, flags, { url: serving.url, link: serving.makeLink() }, 'Serving all workspaces of this machine.');
  if (flags.open) showPage(this, serving.makeLink());
  await over;
  await serving.close();
  return exitCode.ok;
});

/** The process ends by itself then; a second signal on the way shall still be heard. */
const unhookLater = (unhook: () => void): void => void setTimeout(unhook, 5_000).unref();

/** Whoever says nothing special is as well served by the server that is there. */
const asksForNothing = ({ host, port, tlsCert, spec, newToken }: Flags): boolean =>
  [host, port, tlsCert, spec, newToken].every((one) => one === undefined);

const wishOf = ({
  host,
  port,
  tlsCert,
  tlsKey,
  withoutTls,
  allowHost,
  spec,
  newToken,
}: Flags): ServeWish => ({
  host,
  port,
  tlsCert,
  tlsKey,
  withoutTls,
  allowHosts: allowHost,
  specs: spec,
  newToken,
});

function say(
  { terminal }: Context,
  { json }: Flags,
  { url, link }: { url: string; link: string },
  what: string,
): void {
  if (json) return terminal.out(JSON.stringify({ kind: 'serving', url, link }));
  terminal.out(`${what} Open this link once:`);
  terminal.out(`  ${link}`);
  terminal.out('It lets one browser in; agentgate serve prints another one.');
}

function parsePort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new SyntaxError(`${text} is no port; give a number from 0 (any free one) to 65535`);
}

export const serve = buildCommand({
  func: act,
  parameters: {
    flags: {
      port: {
        kind: 'parsed',
        parse: parsePort,
        brief: 'the port; by default the one of the last time, or a free one',
        optional: true,
        placeholder: 'n',
      },
      open: { kind: 'boolean', brief: 'open the page in the browser', optional: true, withNegated: false },
      spec: repeated('a spec by which runs may be begun from the page', '[name=]file'),
      host: parsed('listen on this address, where other machines can reach it; needs TLS', 'address'),
      tlsCert: parsed('the certificate, in PEM', 'file'),
      tlsKey: parsed('its key, in PEM', 'file'),
      allowHost: repeated('a name by which the server may be called', 'name'),
      withoutTls: {
        kind: 'boolean',
        brief: 'listen on --host in the clear, where something else encrypts it',
        optional: true,
        withNegated: false,
      },
      newToken: {
        kind: 'boolean',
        brief: 'make a new token: every browser and program that was let in is shut out',
        optional: true,
        withNegated: false,
      },
      ...common,
    },
    aliases: commonAliases,
  },
  docs: {
    brief: 'show the runs of this machine on a page, and steer them from there',
    fullDescription: [
      'Serves the dashboard and the HTTP API over everything in the state directory, until it is ended. Only this',
      'machine can reach it, and only whoever has its one-time link or its token. It is a reader of the logs: it can',
      'be ended and started again at any time, and no run depends on it.',
      '',
      'Example:',
      '  agentgate serve --open',
    ].join('\n'),
  },
});
