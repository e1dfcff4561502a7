import { describe, expect, test } from 'vitest';
import { readPlain } from './plain.ts';

const ids = (text: string) => {
  const report = readPlain(text);
  return report.kind === 'read' ? report.findings.map((one) => one.title) : [];
};

describe('failures that a line marks', () => {
  test.each([
    ['automake', 'PASS: a\nFAIL: b\nFAIL: c\n', ['b', 'c']],
    ['brackets', '[ OK ] a\n[FAIL] b\n[FAIL] c d\n', ['b', 'c d']],
    ['after the name', 'a: OK\nb: FAILED\nc ... FAILED\n', ['b', 'c']],
    [
      'unittest',
      'FAIL: test_a (m.T.test_a)\nERROR: test_b (m.T.test_b)\nFAILED (failures=1, errors=1)\n',
      ['test_a (m.T.test_a)', 'test_b (m.T.test_b)'],
    ],
    [
      'ctest',
      'The following tests FAILED:\n\t  2 - parser (Failed)\n\t  5 - slow (Timeout)\n',
      ['parser', 'slow'],
    ],
    [
      'rspec',
      'Failed examples:\n\nrspec ./spec/a_spec.rb:3 # A adds\nrspec ./spec/a_spec.rb:9 # A subtracts\n',
      ['A adds', 'A subtracts'],
    ],
    [
      'phpunit',
      'There were 2 failures:\n\n1) App\\SumTest::testAdd\n\n2) App\\SumTest::testSub\n',
      ['App\\SumTest::testAdd', 'App\\SumTest::testSub'],
    ],
    ['minitest', 'SumTest#test_add [test/a.rb:4]:\nExpected: 3\n', ['SumTest#test_add']],
    [
      'dotnet',
      '  Failed App.SumTests.Adds [12 ms]\n  Passed App.SumTests.Subs [1 ms]\n',
      ['App.SumTests.Adds'],
    ],
    ['nothing of the kind', 'all good\n', []],
  ])('%s', (_name, text, expected) => expect(ids(text)).toEqual(expected));

  test('are not read where a tool was recognised', () => {
    expect(ids('FAILED test_a.py::test_x - assert 1 == 2\nFAIL: something\n')).toEqual(['test_x']);
  });
});
