export function Brand({ href }: { href?: string }) {
  const inside = (
    <>
      <svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true">
        <path class="post" d="M2 2h3v12H2zM11 2h3v12h-3z" />
        <path class="beam" d="M5 6.5h6v3H5z" />
      </svg>
      <span class="brand-name">AgentGate</span>
    </>
  );
  return href === undefined ? (
    <span class="brand">{inside}</span>
  ) : (
    <a class="brand" href={href} aria-label="AgentGate, all runs">
      {inside}
    </a>
  );
}
