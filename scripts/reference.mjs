// The reference part of docs/spec.md, made from the JSON Schema of a spec.

/** Every option of today's form as tables, and the older names after them. */
export function reference(schema) {
  const { $defs } = schema;
  const look = (one) => (one.$ref ? { ...resolve($defs, one.$ref), ...one } : one);
  const sections = [];
  const top = { ...$defs.flat.properties, ...$defs.flat.else.properties };
  sections.push(table('The top of the file', top, look, false));
  for (const name of [
    'agent',
    'gates',
    'strategy',
    'limits',
    'detectors',
    'stuck',
    'deliver',
    'notify',
    'workspace',
    'feedback',
  ])
    sections.push(...groupSections(name, look(top[name]), look, $defs));
  return `${sections.filter(Boolean).join('\n\n')}\n\n${olderSection($defs, look)}\n`;
}

function groupSections(name, schema, look, $defs) {
  const kinds = kindsIn(schema, look);
  if (name === 'gates') {
    const common = Object.fromEntries(
      Object.entries($defs)
        .filter(([key]) => key.startsWith('gate.') && key !== 'gate.condition')
        .map(([key, one]) => [key.slice('gate.'.length), one]),
    );
    return [
      table('Every gate', common, look),
      ...kinds.map((one) => table(`Gates of kind \`${kindOf(one)}\``, ownOptions(one), look)),
      table('The items of a checklist', $defs.checks.items.anyOf[0].properties, look),
    ];
  }
  if (kinds.length > 0) {
    const noun = { agent: 'Agents', strategy: 'Strategy' }[name];
    const several = name === 'agent' ? ' of kind' : '';
    return kinds.map((one) => table(`${noun}${several} \`${kindOf(one)}\``, ownOptions(one), look));
  }
  const group = objectIn(schema, look);
  return group ? [table(`\`${name}\``, group.properties, look)] : [];
}

/** One table; groups within it are unfolded into rows of their own. */
function table(title, properties, look, unfolds = true) {
  const rows = rowsOf([], properties, look, unfolds);
  if (rows.length === 0) return `### ${title}\n\nHas no options of its own.`;
  const lines = rows.map(
    ({ name, type, otherwise, about }) => `| \`${name}\` | ${type} | ${otherwise} | ${about} |`,
  );
  return [`### ${title}`, '', '| option | value | default | meaning |', '|---|---|---|---|', ...lines].join(
    '\n',
  );
}

function rowsOf(path, properties, look, unfolds) {
  return Object.entries(properties)
    .filter(([name, one]) => !one.deprecated && name !== 'kind' && name !== '$schema')
    .flatMap(([name, given]) => {
      const one = look(given);
      const here = [...path, name];
      const row = {
        name: here.join('.'),
        type: typeText(given, look),
        otherwise: isEmpty(one.default) ? '' : code(one.default),
        about: cell(one.description ?? ''),
      };
      const group = unfolds ? objectIn(given, look) : null;
      return [row, ...(group ? rowsOf(here, group.properties, look, true) : [])];
    });
}

const isEmpty = (value) =>
  value === undefined || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

/** The group that a value may be, itself or as an item of a list; several become one. */
function objectIn(schema, look) {
  const one = look(schema);
  // The items of a checklist have a table of their own, and hold each other without end.
  if (one.deprecated || schema.$ref?.endsWith('/checks')) return null;
  if (one.properties) return one;
  if (one.items) return objectIn(one.items, look);
  const found = (one.anyOf ?? []).map((inner) => objectIn(inner, look)).filter(Boolean);
  return found.length === 0
    ? null
    : { properties: Object.assign({}, ...found.map(({ properties }) => properties)) };
}

function kindsIn(schema, look) {
  const one = look(schema);
  if (kindOf(one) && !one.deprecated) return [one];
  const inner = [...(one.anyOf ?? []), ...(one.oneOf ?? [])];
  if (typeof one.additionalProperties === 'object') inner.push(one.additionalProperties);
  return inner.flatMap((other) => kindsIn(other, look));
}

const kindOf = (schema) => schema.properties?.kind?.const;

/** The options of one kind that not every kind has. */
const ownOptions = (schema) =>
  Object.fromEntries(
    Object.entries(schema.properties).filter(([, one]) => !one.$ref?.startsWith('#/$defs/gate.')),
  );

const names = {
  command: 'a command',
  duration: 'a duration',
  paths: 'a path or several',
  money: 'money',
  count: 'a count',
  checks: 'a list of checks',
};

function typeText(schema, look) {
  const named = schema.$ref?.replace('#/$defs/', '');
  if (named && names[named] && !schema.type) return names[named];
  // Where a text would be the name of something, only the other form of a command is one.
  if (named === 'command' && schema.type === 'array') return 'a command as a list of words';
  const one = look(schema);
  if (named && names[named]) return names[named];
  if (one.const !== undefined) return code(one.const);
  if (one.enum) return one.enum.map(code).join(', ');
  if (one.type === 'object') return 'a group';
  const inner = one.anyOf ?? one.oneOf;
  if (inner) {
    const all = inner.filter((other) => !other.deprecated).map((other) => typeText(other, look));
    return [...new Set(all)].join(' or ');
  }
  switch (one.type) {
    case 'integer':
    case 'number':
      return range(one);
    case 'boolean':
      return '`true`, `false`';
    case 'array':
      return `a list, each ${typeText(one.items ?? {}, look)}`;
    case 'string':
      return one.format === 'uri' ? 'an address' : 'a text';
    default:
      return Array.isArray(one.type) ? one.type.join(' or ') : 'anything';
  }
}

function range({ type, minimum, maximum }) {
  const what = type === 'integer' ? 'a whole number' : 'a number';
  if (minimum !== undefined && maximum !== undefined) return `${what}, ${minimum} to ${maximum}`;
  return minimum === undefined ? what : `${what} from ${minimum}`;
}

/** Names of older designs, with what they are read as. */
function olderSection($defs, look) {
  const rows = [];
  const add = (where, properties) => {
    for (const [name, one] of Object.entries(properties))
      if (one.deprecated && one.description) rows.push([where, name, one.description]);
  };
  add('the top', $defs.flat.properties);
  add('limits', $defs.limits.properties);
  for (const one of kindsIn($defs.strategy, look)) add(`strategy ${kindOf(one)}`, one.properties);
  add('items of a checklist', $defs.checks.items.anyOf[0].properties);
  const byMeaning = new Map();
  for (const [where, name, about] of rows) {
    const key = `${name}\n${about}`;
    byMeaning.set(key, [...(byMeaning.get(key) ?? []), where]);
  }
  const lines = [...byMeaning].map(([key, where]) => {
    const [name, about] = key.split('\n');
    const short = where.length > 3 ? 'every strategy' : where.join(', ');
    return `| \`${name}\` | ${short} | ${cell(about)} |`;
  });
  return ['### Older names', '', '| name | where | meaning |', '|---|---|---|', ...lines].join('\n');
}

const resolve = ($defs, ref) => {
  const found = $defs[ref.replace('#/$defs/', '')];
  return found?.$ref ? { ...resolve($defs, found.$ref), ...found } : found;
};
const code = (value) =>
  `\`${(typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('|', '\\|')}\``;
const cell = (text) =>
  text
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')
    .replaceAll(/\$\{(\w+)\}/g, '`$${$1}`');
