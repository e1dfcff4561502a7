/** Only a link of the server lets a browser in, and only once. */
export function ShutOut() {
  return (
    <div class="card shut-out">
      <h1>This browser is not signed in</h1>
      <p>Each link lets one browser in, once. This prints a new one, also while the server runs:</p>
      <pre class="output">agentgate serve</pre>
    </div>
  );
}
