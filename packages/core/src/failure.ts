export const gateOf = (failure: string): string => failure.slice(0, failure.indexOf('\u0000'));
export const failureName = (failure: string): string => failure.slice(failure.indexOf('\u0000') + 1);

/** A failure for people: without the kind and the hash that make its id unique. */
export const failureLabel = (failure: string): string => {
  const name = failureName(failure)
    .replace(/^(?:test|lint|type|error):/, '')
    .replace(/:[0-9a-f]{8}(?= #\d+$|$)/, '');
  return `${gateOf(failure)}: ${name}`;
};
/** A failure as it is told apart among all gates. */
export const failureKeyFor = (gate: string, id: string): string => `${gate}\u0000${id}`;

/** The words that stand for a gate's own state are no findings: nobody fixes or breaks them. */
export const isNamed = (key: string): boolean =>
  !/^(?:timed-out|unable|pending|skipped)$/.test(failureName(key));
