import type { Kind } from './kind.ts';

// A database that refuses to be root is started as its own user where we are root.
const start = `set -e
where=/tmp/agentgate-rooms-database
rm -rf "$where"
mkdir -m 700 "$where"
as=
if [ "$(id -u)" = 0 ]; then
  chown postgres "$where"
  as="setpriv --reuid=postgres --regid=postgres --clear-groups"
fi
$as initdb -D "$where/data" -U tester --auth=trust --no-sync >/dev/null
exec $as postgres -D "$where/data" -h 127.0.0.1 -p 54329 -k "$where" -c fsync=off
`;

const query = (sql: string) =>
  `psql -h 127.0.0.1 -p 54329 -U tester -d postgres -v ON_ERROR_STOP=1 -q -f ${sql}`;

/** A suite that asks a real database, which is started beside it and gone with it. */
export const database: Kind = {
  name: 'a local database',
  programs: ['postgres', 'initdb', 'psql', 'pg_isready', 'setpriv'],
  make: (at) =>
    at.write({
      'db/start.sh': start,
      'schema.sql': 'create temp table numbers (n int);\ninsert into numbers values (1), (2);\n',
      'tests.sql':
        "\\i schema.sql\ndo $$ begin if (select sum(n) from numbers) <> 3 then raise exception 'wrong sum'; end if; end $$;\n",
    }),
  gates: {
    tests: {
      run: query('tests.sql'),
      network: 'loopback',
      services: {
        db: { run: 'sh db/start.sh', ready: 'pg_isready -q -h 127.0.0.1 -p 54329', timeout: '60s' },
      },
    },
  },
  breakIt: (at) =>
    at.write({ 'schema.sql': 'create temp table numbers (n int);\ninsert into numbers values (1);\n' }),
  mendIt: (at) =>
    at.write({ 'schema.sql': 'create temp table numbers (n int);\ninsert into numbers values (3);\n' }),
};
