import type { RefusedError } from './api.ts';

/** Only a link of the server lets a browser in, and only once. */
export function ShutOut({ refusal = null }: { refusal?: RefusedError | null }) {
  return (
    <div class="card shut-out">
      <h1>This browser is not signed in</h1>
      {refusal?.status === 403 && <p class="problem">{refusal.message}</p>}
      <p>
        Its session is over, or the server has another token by now. Each link lets one browser in, once. This
        prints a new one, also while the server runs:
      </p>
      <pre class="output">agentgate serve</pre>
      <p class="muted">
        Open it in this browser; this page then goes on by itself. No run is touched by this.
      </p>
    </div>
  );
}
