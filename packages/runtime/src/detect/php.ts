import type { Ecosystem } from './ecosystem.ts';
import { commandGate } from './proposed-gate.ts';

/** PHP: phpunit and phpstan as composer installs them. */
export const php: Ecosystem = {
  name: 'php',
  look(project) {
    const phpunit = project.first('phpunit.xml', 'phpunit.xml.dist', 'phpunit.dist.xml');
    const manifest = project.readJson('composer.json');
    if (manifest === null && phpunit === undefined) return null;
    const { test } = (manifest?.['scripts'] ?? {}) as { test?: unknown };
    const phpstan = project.first('phpstan.neon', 'phpstan.neon.dist', 'phpstan.dist.neon');
    return [
      ...(test !== undefined
        ? [commandGate('tests', 'composer test', 'composer.json has a test script')]
        : phpunit
          ? [commandGate('tests', 'vendor/bin/phpunit', `${phpunit} is there`)]
          : []),
      ...(phpstan ? [commandGate('types', 'vendor/bin/phpstan analyse', `${phpstan} is there`)] : []),
    ];
  },
  firstTest: 'composer require --dev phpunit/phpunit, and write tests/FirstTest.php',
};
