/** Whether two values are the same once they are written down as JSON, in whatever order their keys stand. */
export const sameJson = (one: unknown, other: unknown): boolean => sorted(one) === sorted(other);

function sorted(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) =>
      typeof part === 'object' && part !== null && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
        : part,
    ) ?? 'nothing'
  );
}
