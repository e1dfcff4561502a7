import { expect, test } from 'vitest';
import { readGo } from './go.ts';
import { idsOf, loadsOf, read, statusesOf } from './testing.ts';

test('a parent that fails by itself is a failure, and one that only contains one is not', () => {
  const events = (child: string) =>
    ['{"Action":"run","Package":"p","Test":"T"}', `{"Action":"${child}","Package":"p","Test":"T/c"}`]
      .concat(['{"Action":"fail","Package":"p","Test":"T"}', '{"Action":"fail","Package":"p"}'])
      .join('\n');
  expect(idsOf(readGo(events('fail')))).toEqual(['test:p > T/c']);
  expect(idsOf(readGo(events('pass')))).toEqual(['test:p > T']);
});

test('a test that took its process down has failed', () => {
  const text = '{"Action":"run","Package":"p","Test":"T"}\n{"Action":"fail","Package":"p"}';
  expect(idsOf(readGo(text))).toEqual(['test:p > T']);
});

test('a package that fails without a test is a failure', () => {
  const report = readGo(
    '{"Action":"output","Package":"p","Output":"no db\\n"}\n{"Action":"fail","Package":"p"}',
  );
  expect(read(report).findings).toEqual([{ id: 'test:p', title: 'p', message: 'no db' }]);
});

test('a build that failed is told as of Go 1.24 in events of its own (from its documentation)', () => {
  const text = [
    '{"ImportPath":"p [p.test]","Action":"build-output","Output":"./a_test.go:5:2: undefined: x\\n"}',
    '{"ImportPath":"p [p.test]","Action":"build-fail"}',
    '{"Time":"2027-01-01T00:00:00Z","Action":"start","Package":"p"}',
    '{"Time":"2027-01-01T00:00:00Z","Action":"output","Package":"p","Output":"FAIL\\tp [build failed]\\n"}',
    '{"Time":"2027-01-01T00:00:00Z","Action":"fail","Package":"p","Elapsed":0,"FailedBuild":"p [p.test]"}',
  ].join('\n');
  expect(loadsOf(readGo(text))).toEqual(['test:p']);
  expect(read(readGo(text)).findings[0]?.message).toBe('./a_test.go:5:2: undefined: x');
});

test('a test that runs twice is two tests', () => {
  const once = '{"Action":"run","Package":"p","Test":"T"}\n{"Action":"pass","Package":"p","Test":"T"}\n';
  const report = readGo(`${once}${once}{"Action":"pass","Package":"p"}`);
  expect(statusesOf(report)['passed']).toEqual(['test:p > T', 'test:p > T #2']);
});
