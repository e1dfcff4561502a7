import type { Ecosystem } from './ecosystem.ts';
import type { Project } from './project.ts';
import { commandGate, type ProposedGate } from './proposed-gate.ts';

/** Ruby: rspec, Rails or rake, through bundler where there is a Gemfile. */
export const ruby: Ecosystem = {
  name: 'ruby',
  look(project) {
    if (!project.has('Gemfile', 'Rakefile', '.rspec')) return null;
    const exec = project.has('Gemfile') ? 'bundle exec ' : '';
    const rubocop = project.first('.rubocop.yml');
    return [
      ...tests(project, exec),
      ...(rubocop ? [commandGate('lint', `${exec}rubocop`, `${rubocop} is there`)] : []),
    ];
  },
  firstTest: 'gem install rspec, then rspec --init, and write spec/first_spec.rb',
};

function tests(project: Project, exec: string): ProposedGate[] {
  const spec = project.files().find((path) => path.endsWith('_spec.rb'));
  if (spec) return [commandGate('tests', `${exec}rspec`, `${spec} is there`)];
  const test = project.files().find((path) => /(^|\/)(test_[^/]*|[^/]*_test)\.rb$/.test(path));
  if (test === undefined) return [];
  if (project.has('bin/rails'))
    return [commandGate('tests', 'bin/rails test', `bin/rails and ${test} are there`)];
  return /TestTask|task\s*\(?:?["']?test\b/.test(project.read('Rakefile'))
    ? [commandGate('tests', `${exec}rake test`, 'the Rakefile has a test task')]
    : [commandGate('tests', `${exec}ruby -Ilib -Itest ${test}`, `${test} is there`)];
}
