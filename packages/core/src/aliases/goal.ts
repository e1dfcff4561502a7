import { show, showPath, suggest } from '../parse-spec/problem.ts';
import { type Entry, Group } from './group.ts';
import type { Reading } from './reading.ts';

/** The task, also where it was called a prompt or a goal. The gates that a goal asks for are answered. */
export function readTask(reading: Reading, top: Group): Entry | undefined {
  reading.rename(top, 'prompt', 'task');
  const goal = top.open('goal');
  if (!goal) {
    reading.rename(top, 'goal', 'task');
    return undefined;
  }
  top.take('goal');
  reading.only(goal, ['prompt', 'context', 'desiredState']);
  const task = taskOf(reading, goal);
  if (top.has('task')) reading.problem(task.from, 'stands beside task; give one of them', true);
  else {
    top.put('task', task);
    reading.renamed(task.from, 'task');
  }
  return desiredOf(reading, goal);
}

function taskOf(reading: Reading, goal: Group): Entry {
  const prompt = goal.get('prompt');
  const context = goal.get('context');
  if (!prompt) {
    const from = [...goal.from, 'prompt'];
    reading.problem(from, 'missing: expected the task, in words');
    // Told once is enough; the schema is not asked about it again.
    return { value: 'missing', from };
  }
  if (!context || typeof prompt.value !== 'string') return prompt;
  if (typeof context.value !== 'string') {
    reading.problem(context.from, `expected a text, found ${show(context.value)}`);
    return prompt;
  }
  return { ...prompt, value: `${prompt.value}\n\n${context.value}` };
}

function desiredOf(reading: Reading, goal: Group): Entry | undefined {
  const desired = goal.open('desiredState');
  if (!desired) return undefined;
  reading.refuse(desired, 'custom', 'a state in words cannot be judged; write a gate that proves it');
  reading.only(desired, ['allGatesPassed', 'specificGates']);
  const all = desired.get('allGatesPassed');
  const specific = desired.get('specificGates');
  if (all && typeof all.value !== 'boolean')
    reading.problem(all.from, `expected true or false, found ${show(all.value)}`);
  if (all?.value === false && !specific)
    reading.problem(all.from, 'then nothing would have to pass; name the gates that must in specificGates');
  if (all?.value === true && specific)
    reading.problem(specific.from, 'stands beside allGatesPassed: true; give one of them', true);
  return specific;
}

/** Only the named gates must pass; the others advise. */
export function softenOthers(reading: Reading, top: Group, { value, from }: Entry): void {
  const gates = top.open('gates');
  if (!Array.isArray(value) || value.length === 0)
    return reading.problem(from, `expected a list of gate names, found ${show(value)}`);
  if (!gates) return;
  const names = gates.keys();
  const unknown = value.filter((name) => !names.includes(String(name)));
  for (const name of unknown)
    reading.problem(
      [...from, value.indexOf(name)],
      `unknown gate ${show(name)}${suggest(String(name), names)}`,
    );
  if (unknown.length > 0) return;
  for (const name of names.filter((one) => !value.includes(one))) soften(reading, gates, name, from);
}

function soften(reading: Reading, gates: Group, name: string, from: Entry['from']): void {
  const entry = gates.get(name)!;
  if (!gates.open(name)) {
    const short = new Group(entry.from);
    short.put('run', entry);
    gates.put(name, { value: short, from: entry.from });
  }
  const gate = gates.open(name)!;
  const severity = gate.get('severity');
  if (severity?.value === 'hard') {
    const message = `${name} is hard, but ${showPath(from)} leaves it out; name it there, or make it soft`;
    return reading.problem(severity.from, message);
  }
  if (severity) return;
  gate.put('severity', { value: 'soft', from });
  reading.note(from, `gate ${name} is soft, because ${showPath(from)} leaves it out`);
}
