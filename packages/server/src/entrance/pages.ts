/** Pages without a script: the ones that are shown before anybody is let in. */
function page(title: string, body: string, head = ''): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>${head}</head><body><main><h1>${title}</h1>${body}</main></body></html>\n`;
}

/** Goes on by itself: a browser that came here from another site has no cookie to show before it asks from here. */
export const welcomePage = page(
  'AgentGate',
  '<p><a href="/">Go on to the dashboard</a></p>',
  '<meta http-equiv="refresh" content="0;url=/">',
);

export const closedPage = page(
  'AgentGate: a link is needed',
  '<p>This browser is not known here, or the link was used before. <code>agentgate serve</code> prints a new one.</p>',
);

export const unbuiltPage = page(
  'AgentGate',
  '<p>The dashboard is not part of this build. The API is at <code>/api</code>.</p>',
);
