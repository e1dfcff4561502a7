import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ask } from './live/api.ts';
import { InboxPage } from './live/inbox-page.tsx';
import { PlanPage } from './live/plan-page.tsx';
import { PlansPage } from './live/plans-page.tsx';
import { type Route, useRoute } from './live/route.ts';
import { RunPage } from './live/run-page.tsx';
import { RunsPage } from './live/runs-page.tsx';
import { ShutOut } from './live/shut-out.tsx';
import { useChanges, useKept, useShutOut } from './live/use-lists.ts';
import { Brand } from './parts/brand.tsx';
import { applyTheme, ThemeButton } from './parts/theme.tsx';

const toldMs = 4_000;

function App() {
  const route = useRoute();
  const { changes, isConnected } = useChanges();
  const refusal = useShutOut(isConnected);
  const inbox = useKept(() => ask('GET /api/inbox'), [changes, refusal]);
  const [told, setTold] = useState<string | null>(null);
  useEffect(() => {
    if (told === null) return;
    const timer = setTimeout(() => setTold(null), toldMs);
    return () => clearTimeout(timer);
  }, [told]);
  useEffect(() => {
    document.title = `${titleOf(route)} · AgentGate`;
    scrollTo(0, 0);
  }, [JSON.stringify(route)]);
  const { waiting = [], criteria = [] } = inbox.value ?? {};
  return (
    <>
      <header class="top">
        <a class="skip" href="#main" onClick={skip}>
          Skip to the page
        </a>
        <div class="top-in">
          <Brand href="#/" />
          <nav aria-label="Pages">
            <NavLink to="#/" name="Runs" isHere={route.kind === 'runs' || route.kind === 'run'} />
            <NavLink to="#/plans" name="Plans" isHere={route.kind === 'plans' || route.kind === 'plan'} />
            <NavLink
              to="#/inbox"
              name="Approvals"
              isHere={route.kind === 'inbox'}
              count={waiting.length + criteria.length}
            />
          </nav>
          <p class={isConnected ? 'connection' : 'connection off'} role="status">
            <i aria-hidden="true" />
            <span>{isConnected ? 'live' : refusal ? 'not signed in' : 'no connection'}</span>
          </p>
          <ThemeButton />
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {refusal ? (
          <ShutOut refusal={refusal} />
        ) : (
          <Page route={route} changes={changes} inbox={inbox.value} onTold={setTold} />
        )}
      </main>
      <div aria-live="polite">{told !== null && <p class="toast">{told}</p>}</div>
    </>
  );
}

function Page({
  route,
  changes,
  inbox,
  onTold,
}: {
  route: Route;
  changes: number;
  inbox: Parameters<typeof InboxPage>[0]['inbox'];
  onTold(words: string): void;
}) {
  switch (route.kind) {
    case 'runs':
      return <RunsPage changes={changes} onTold={onTold} />;
    case 'run':
      return (
        <RunPage
          key={`${route.workspace}/${route.run}`}
          run={{ workspace: route.workspace, run: route.run }}
          onTold={onTold}
        />
      );
    case 'plans':
      return <PlansPage changes={changes} />;
    case 'plan':
      return (
        <PlanPage
          key={`${route.workspace}/${route.plan}`}
          workspace={route.workspace}
          plan={route.plan}
          onTold={onTold}
        />
      );
    case 'inbox':
      return <InboxPage inbox={inbox} onTold={onTold} />;
  }
}

function NavLink({
  to,
  name,
  isHere,
  count = 0,
}: {
  to: string;
  name: string;
  isHere: boolean;
  count?: number;
}) {
  return (
    <a href={to} aria-current={isHere ? 'page' : undefined}>
      {name}
      {count > 0 && (
        <span class="badge">
          {count}
          <span class="visually-hidden"> waiting</span>
        </span>
      )}
    </a>
  );
}

/** The place behind the `#` is the page that is shown, so this link moves the focus by itself. */
function skip(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function titleOf(route: Route): string {
  switch (route.kind) {
    case 'run':
      return `Run ${route.run}`;
    case 'plan':
      return `Plan ${route.plan}`;
    case 'plans':
      return 'Plans';
    case 'inbox':
      return 'Approvals';
    case 'runs':
      return 'Runs';
  }
}

applyTheme();
render(<App />, document.getElementById('page')!);
