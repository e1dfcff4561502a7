import { expect, test } from 'vitest';
import { parseRemote } from './remote.ts';

test.each<[string, string | null]>([
  ['https://github.com/acme/widget.git', 'github.com acme/widget'],
  ['https://token@github.com/acme/widget', 'github.com acme/widget'],
  ['https://GitHub.com:443/acme/widget/', 'github.com acme/widget'],
  ['git@github.com:acme/widget.git', 'github.com acme/widget'],
  ['ssh://git@gitlab.com:22/acme/tools/widget.git', 'gitlab.com acme/tools/widget'],
  ['git@gitlab.com:acme/tools/my.widget', 'gitlab.com acme/tools/my.widget'],
  ['/srv/git/widget.git', null],
  ['../widget', null],
  ['file:///srv/git/widget.git', null],
  ['https://github.com/widget', null],
  ['https://github.com/../../user', null],
  ['https://github.com/acme/widget?x=1', null],
  ['gh:acme/widget', null],
])('the remote %s is %s', (url, expected) => {
  const remote = parseRemote(url);
  expect(remote === null ? null : `${remote.host} ${remote.path}`).toBe(expected);
});
