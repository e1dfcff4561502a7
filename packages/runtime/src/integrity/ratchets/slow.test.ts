import { describe, expect, it } from 'vitest';
import { check } from '../testing.ts';

describe('a text made to be slow', () => {
  const units =
    "a|a |\n|\n *|.|( |[|{|<any |: any |= |#[|#![cfg_attr(|#[allow(a|@type {|/* |/* eslint a|// eslint-disable |# noqa: E1,|it.|it. |test.test.|describe\n.|expect(|assert .a|process . |exit,|import { exit|cast(|from typing import (|Any |def __eq__(|def __eq__(a) |equals(|sys.modules |process.argv |\"a|'a/|@Test( |assume|\\u{|from\n\"|as unknown |return /|<build>|<dependency>|<groupId>|#[test]\nfn a() {|#[a]|gem 'a', '|  a==1\n|a@1:\n  version 1\n".split(
      '|',
    );

  it.each([
    'a.ts',
    'a.tsx',
    'a.test.ts',
    'a.py',
    'test_a.py',
    'a.go',
    'a.rs',
    'A.java',
    'a.rb',
    'a.php',
    'pom.xml',
    'Gemfile',
    'build.gradle',
    'setup.cfg',
    'requirements.txt',
    'A.csproj',
    'go.mod',
    'yarn.lock',
    'pyproject.toml',
    'tests/a.txt',
  ])(
    'is counted in time that grows with its length: %s',
    async (path) => {
      const slowest = { unit: '', ms: 0 };
      for (const unit of units) {
        const text = unit.repeat(Math.ceil(40_000 / unit.length));
        const from = performance.now();
        await check({ [path]: 'x' }, { [path]: text });
        const ms = performance.now() - from;
        if (ms > slowest.ms) Object.assign(slowest, { unit, ms });
      }
      expect(slowest).toMatchObject({ ms: expect.toSatisfy((ms: number) => ms < 2_000) });
    },
    30_000,
  );
});
