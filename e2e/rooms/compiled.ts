import type { Kind } from './kind.ts';

const lib = (sign: string) =>
  `pub fn sum(a: i32, b: i32) -> i32 {\n    a ${sign} b\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert_eq!(super::sum(1, 2), 3);\n    }\n}\n`;

const goSum = (sign: string) => `package sums\n\nfunc Sum(a, b int) int { return a ${sign} b }\n`;

/** Kinds whose tests are compiled, with caches in the repository and in the home. */
export const compiled: readonly Kind[] = [
  {
    name: 'Rust',
    programs: ['cargo'],
    make(at) {
      at.write({
        '.gitignore': 'target\n',
        'Cargo.toml': '[package]\nname = "sums"\nversion = "0.1.0"\nedition = "2021"\n',
        'src/lib.rs': lib('+'),
      });
      at.run('cargo', 'test', '--offline', '-q');
    },
    gates: { tests: 'cargo test --offline' },
    breakIt: (at) => at.write({ 'src/lib.rs': lib('-') }),
    mendIt: (at) => at.write({ 'src/lib.rs': `${lib('+')}\npub fn one() -> i32 {\n    1\n}\n` }),
  },
  {
    name: 'Go',
    programs: ['go'],
    make(at) {
      at.write({
        'go.mod': 'module example.com/sums\n\ngo 1.19\n',
        'sums.go': goSum('+'),
        'sums_test.go':
          'package sums\n\nimport "testing"\n\nfunc TestSum(t *testing.T) {\n\tif Sum(1, 2) != 3 {\n\t\tt.Fatal("wrong sum")\n\t}\n}\n',
      });
      at.run('go', 'test', './...');
    },
    gates: { tests: 'go test ./...' },
    breakIt: (at) => at.write({ 'sums.go': goSum('-') }),
    mendIt: (at) => at.write({ 'sums.go': `${goSum('+')}\nfunc One() int { return 1 }\n` }),
  },
];
