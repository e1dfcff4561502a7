import { type Application, buildApplication, buildRouteMap, text_en } from '@stricli/core';
import { answer } from './commands/answer.ts';
import { approve, reject } from './commands/approve.ts';
import { arm } from './commands/arm.ts';
import { audit } from './commands/audit.ts';
import { begin } from './commands/begin.ts';
import { check } from './commands/check.ts';
import { makeCompletion } from './commands/completion.ts';
import { deliver } from './commands/deliver.ts';
import { demo } from './commands/demo.ts';
import { diff } from './commands/diff.ts';
import { doctor } from './commands/doctor.ts';
import { explain } from './commands/explain.ts';
import { exported } from './commands/export.ts';
import { hook } from './commands/hook.ts';
import { init } from './commands/init.ts';
import { lab } from './commands/lab/index.ts';
import { list } from './commands/list.ts';
import { mcp } from './commands/mcp.ts';
import { plan } from './commands/plan/index.ts';
import { profiles } from './commands/profiles.ts';
import { prune } from './commands/prune.ts';
import { redirect } from './commands/redirect.ts';
import { replay } from './commands/replay.ts';
import { report } from './commands/report.ts';
import { restore } from './commands/restore.ts';
import { resume } from './commands/resume.ts';
import { run } from './commands/run.ts';
import { schema } from './commands/schema.ts';
import { serve } from './commands/serve.ts';
import { show } from './commands/show.ts';
import { stats } from './commands/stats.ts';
import { status } from './commands/status.ts';
import { step } from './commands/step.ts';
import { stop } from './commands/stop.ts';
import { strategies } from './commands/strategies.ts';
import { verify } from './commands/verify.ts';
import type { Context } from './context.ts';
import { exitCode } from './exit-code.ts';

export function makeApp(version: string): Application<Context> {
  const app: Application<Context> = buildApplication<Context>(
    buildRouteMap({
      routes: {
        begin,
        init,
        run,
        resume,
        step,
        plan,
        check,
        audit,
        list,
        show,
        explain,
        report,
        verify,
        replay,
        stats,
        export: exported,
        diff,
        restore,
        deliver,
        stop,
        redirect,
        approve,
        reject,
        answer,
        hook,
        arm,
        status,
        mcp,
        lab,
        serve,
        strategies,
        profiles,
        schema,
        prune,
        doctor,
        demo,
        completion: makeCompletion(() => app),
      },
      docs: {
        brief:
          'runs any coding agent until its work is verifiably done, and knows when to stop when it never will be',
      },
    }),
    {
      name: 'agentgate',
      versionInfo: { currentVersion: version },
      determineExitCode: () => exitCode.error,
      scanner: { caseStyle: 'allow-kebab-for-camel' },
      documentation: { caseStyle: 'convert-camel-to-kebab', onlyRequiredInUsageLine: true },
      localization: {
        text: {
          ...text_en,
          // A fault reaches the user as a sentence; what arrives here is a bug of ours, and its trace is wanted.
          exceptionWhileRunningCommand: (error) =>
            `agentgate met a bug of its own; the log of the run is safe.\n${error instanceof Error ? error.stack : String(error)}`,
        },
      },
    },
  );
  return app;
}
