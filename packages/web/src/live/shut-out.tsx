/** Only a link of the server lets a browser in, and only once. */
export function ShutOut() {
  return (
    <div class="card shut-out">
      <h1>This browser is not signed in</h1>
      <p>
        Open the link that <code>agentgate serve</code> printed, or ask the running server for a new one:
      </p>
      <pre class="output">agentgate serve --link</pre>
      <p class="muted">Each link lets one browser in, once.</p>
    </div>
  );
}
