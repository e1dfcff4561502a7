/** A flag with one text. */
export const parsed = (brief: string, placeholder: string) =>
  ({ kind: 'parsed', parse: String, brief, placeholder, optional: true }) as const;

/** A flag that may be given more than once. */
export const repeated = (brief: string, placeholder: string) =>
  ({ kind: 'parsed', parse: String, brief, placeholder, optional: true, variadic: true }) as const;

/** A flag with one of a few words. */
export const oneOf = <T extends string>(brief: string, values: readonly [T, ...T[]]) =>
  ({ kind: 'enum', values, brief, optional: true }) as const;
