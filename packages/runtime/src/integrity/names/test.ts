/** Names by which runners find tests, language by language. */
const shapes = [
  /[._-](?:test|tests|spec|specs|cy|e2e|unit)\.[cm]?[jt]sx?$/,
  /^test[_-][^/]*\.[cm]?[jt]sx?$|^tests?\.[cm]?[jt]sx?$/,
  /^test_[^/]*\.pyi?$|_tests?\.py$|^tests?\.py$/,
  /_test\.go$|_test\.rs$|^tests?\.rs$/,
  /_(?:spec|test)\.rb$|^test_[^/]*\.rb$|^(?:spec|test|rails)_helper\.rb$/,
  /\.phpt$|_test\.(?:dart|exs?|cc|cpp|c|cxx|lua|erl|hs|ml|nim|zig|sh)$|_suite\.erl$|^test_helper\.exs$/,
  /^test[_-][^/]*\.(?:sh|bash|c|cc|cpp|lua)$|[._-]tests?\.sh$|\.(?:bats|feature|robot|tavern\.ya?ml)$|^\d+[^/]*\.t$/,
];

/** Words that make a test of a name only when they begin with a capital: `Manifest.java` is none. */
const capital = /(?:^|[a-z0-9_])(?:Tests?|TestCase|TestSuite|Specs?|IT)\.\w+$|^Test[A-Z][^/]*\.\w+$/;
const capitalised = /\.(?:java|kt|kts|groovy|scala|cs|vb|fs|swift|php)$/;
const scriptCapital = /[a-z0-9](?:Tests?|Specs?)\.[cm]?[jt]sx?$/;

const folders =
  /(?:^|\/)(?:tests?|__tests?__|test[_-]?(?:utils?|helpers?|support)|e2e|cypress|playwright|integration[_-]tests?|unit[_-]tests?|functional[_-]tests?|acceptance[_-]tests?|androidtest|testfixtures|features\/(?:steps|step_definitions|support))\//;

const rubyFolder = /(?:^|\/)spec\/(?:.*\.rb$|(?:support|helpers|fixtures|factories)\/)/;

const dotnetFolder = /(?:^|\/)[\w.]+\.(?:unit|integration|functional)?tests?\/[^/]/;

const fixtureFolders =
  /(?:^|\/)(?:__fixtures__|fixtures|testdata|test[_-]data|test[_-]resources|goldens?|golden[_-]files|cassettes|__cassettes__|__image_snapshots__|__recordings__|__files_snapshots__|testcases)\//;

const snapshotFolders = /(?:^|\/)(?:__snapshots__|__screenshots__|__approvals__)\//;

const snapshotNames =
  /\.(?:snap|ambr|golden|approved\.\w+|verified\.\w+|expected|stdout|stderr)$|\.snap\.\w+$|\.golden\.\w+$/;

/** Both the path and the name in lower case, and the name as it is. */
export function isTest(path: string, name: string, asWritten: string): boolean {
  if (folders.test(path) || rubyFolder.test(path) || dotnetFolder.test(path)) return true;
  if (capitalised.test(name)) return capital.test(asWritten);
  return scriptCapital.test(asWritten) || shapes.some((shape) => shape.test(name));
}

export const isFixture = (path: string): boolean => fixtureFolders.test(path);

export const isSnapshot = (path: string, name: string): boolean =>
  snapshotFolders.test(path) || snapshotNames.test(name);
