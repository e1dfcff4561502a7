import { show } from '../parse-spec/problem.ts';
import type { Group } from './group.ts';
import type { Reading } from './reading.ts';

/** What the delivery of a resource may say: our own options, or those of git. */
export const deliveryOptions = [
  'as',
  'on',
  'branchPrefix',
  'commitPrefix',
  'base',
  'provider',
  'repository',
  'apiUrl',
  'token',
  'notify',
  'git',
];
export const gitOptions = ['mode', 'branchPrefix', 'commitPrefix', 'autoCommit', 'autoPush'];

const noPush = 'is not done; deliver a pull request with as: pr, or a branch, and push it yourself';

/** The delivery of a resource as `deliver` and `notify`. */
export function readDelivery(reading: Reading, delivery: Group, flat: Group): void {
  for (const later of ['pr', 'pullRequest', 'notifications'])
    reading.refuse(
      delivery,
      later,
      later === 'notifications'
        ? 'say whom to tell with notify: {run: command} or {webhook: address}'
        : 'a pull request is said with as: pr',
    );
  reading.only(delivery, deliveryOptions);
  const notify = delivery.take('notify');
  if (notify) flat.put('notify', notify);
  const git = delivery.open('git');
  delivery.take('git');
  if (git) readGit(reading, git, delivery);
  if (delivery.keys().length > 0) flat.put('deliver', { value: delivery, from: delivery.from });
}

function readGit(reading: Reading, git: Group, delivery: Group): void {
  reading.only(git, gitOptions);
  const mode = git.get('mode');
  const isPull = mode?.value === 'github-pr';
  if (mode && !isPull && mode.value !== 'local')
    reading.problem(
      mode.from,
      mode.value === 'push' ? `pushing ${noPush}` : `expected local or github-pr, found ${show(mode.value)}`,
    );
  const push = git.get('autoPush');
  if (push && push.value !== false && !isPull) reading.problem(push.from, `pushing ${noPush}`);
  const commit = git.get('autoCommit');
  if (commit && typeof commit.value !== 'boolean')
    reading.problem(commit.from, `expected true or false, found ${show(commit.value)}`);
  const plain = git.has('branchPrefix') ? 'branch' : 'commit';
  const as = commit?.value === false ? 'none' : isPull ? 'pr' : plain;
  for (const [name, entry] of [
    ['as', { value: as, from: commit?.from ?? git.from }],
    ['branchPrefix', git.get('branchPrefix')],
    ['commitPrefix', git.get('commitPrefix')],
  ] as const) {
    if (entry && delivery.has(name))
      reading.problem(entry.from, `stands beside ${name}; give one of them`, true);
    else if (entry) delivery.put(name, entry);
  }
  reading.note(git.from, `${git.from.join('.')} is read as deliver: ${as}`);
}
