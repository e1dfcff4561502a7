// Bugs that a controller could have, each as one change of the shipped sources. They live here and nowhere else:
// `npm run planted` puts them in one at a time while it bundles, and the simulator must notice.

/** The defence that stands behind the first one is taken away, too. */
const untrimmed = {
  file: 'runtime/src/store/log-file.ts',
  find: '  if (size > bytes) file.cut(bytes);\n',
  put: '',
};
const onceMeasured = {
  file: 'core/src/evolve-judged.ts',
  find: '  if (!isEdited || current.attempt >= mostBaselines) return;\n',
  put: '  if (isEdited || !isEdited) return;\n',
};
const unhidden = {
  file: 'runtime/src/process/redacted.ts',
  find: 'redact(cleanText(text))',
  put: 'cleanText(text)',
};
const core = (file, find, put, name) => ({ name, file: `core/src/${file}`, find, put });
const driver = (file, find, put, name) => ({ name, file: `runtime/src/driver/${file}`, find, put });
const store = (file, find, put, name) => ({ name, file: `runtime/src/store/${file}`, find, put });

export const planted = [
  core('conditions.ts', 'state.iteration >= limit', 'state.iteration > limit', 'one iteration too many'),
  core('conditions.ts', 'if (cut || state.activeMs >= wallClock)', 'if (cut)', 'the time binds only builds'),
  core(
    'conditions.ts',
    'if (tokens !== undefined && (state.tokens ?? 0) >= tokens)',
    'if (tokens !== undefined && (state.tokens ?? 0) > tokens * 2)',
    'tokens bind late',
  ),
  core(
    'conditions.ts',
    '(state.costUsd ?? 0) >= cost - 1e-9',
    '(state.costUsd ?? 0) >= cost * 2',
    'money binds late',
  ),
  core('conditions.ts', 'if (!now.allGreen) return [];', '', 'every judged tree meets the goal'),
  core(
    'assess.ts',
    "judged && trusted && standings.every((one) => one.passed || one.spared || one.gate.severity === 'soft')",
    'judged && trusted',
    'red hard gates do not count',
  ),
  core(
    'assess.ts',
    'const trusted = trust.blocking.length === 0;',
    'const trusted = true;',
    'nothing blocks a tree',
  ),
  core(
    'assess.ts',
    "verdict.kind === 'passed' || (verdict.kind === 'failed' && findings.length === 0)",
    "verdict.kind !== 'failed' || findings.length === 0",
    'what did not fail has passed',
  ),
  core(
    'conclude.ts',
    'return end(state, now, primary.status, condition, also, primary.action);',
    "return end(state, now, primary.action === 'complete' ? 'converged' : primary.status, condition, also, primary.action);",
    'a strategy that says done is believed',
  ),
  core(
    'conclude.ts',
    'const softOnly = ends && now.hardGreen &&',
    "const softOnly = ends && (now.hardGreen || step === 'strategy') &&",
    'a strategy that stops stands in for the gates',
  ),
  core(
    'conclude.ts',
    'if (now.current.confirmed === null) {',
    'if (false) {',
    'the tree is not looked at again',
  ),
  core(
    'evolve-judged.ts',
    '    current.verdicts.clear();\n    current.cached.clear();',
    '',
    'verdicts of another tree are kept',
  ),
  core(
    'evolve-judged.ts',
    '    current.tree = event.after;\n    current.work = event.work;',
    '    current.work = event.work;',
    'the tree that moved is forgotten',
  ),
  core(
    'spending.ts',
    'state[what] = (state[what] ?? 0) + told * (1 + state.unpriced[what]);',
    'state[what] = told * (1 + state.unpriced[what]);',
    'only what was told last counts',
  ),
  core(
    'spending.ts',
    'else if (event.estimated) state[what] = (state[what] ?? 0) + told;',
    'else if (event.estimated) state[what] = state[what] ?? 0;',
    'what is assumed does not count',
  ),
  core(
    'evolve.ts',
    '  state.activeMs += event.tookMs;\n  countSpending(state, event);',
    '  countSpending(state, event);',
    'building costs no time',
  ),
  core(
    'evolve-judged.ts',
    '  state.activeMs += event.activeMs ?? event.tookMs;',
    '',
    'judging costs no time',
  ),
  core(
    'spending.ts',
    'if (told === undefined) state.unpriced[what] += isCut ? 1 : 0;',
    'if (told === undefined) continue;',
    'who is cut off before anybody tells is free',
  ),
  core(
    'evolve.ts',
    "      return event.kind === 'tree.confirmed';",
    "      return event.kind === 'tree.confirmed' && event.iteration < 2;",
    'a confirmation is made again and again',
  ),
  core(
    'evolve.ts',
    'return open.gates.every((gate) => current?.verdicts.has(gate));',
    "return event.kind === 'gate.judged';",
    'one verdict is all of them',
  ),
  core('go-on.ts', '  state.activeMs += event.lostMs;', '', 'a crash costs no time'),
  core(
    'go-on.ts',
    '  state.stop = null;\n  // Who resumes',
    '  // Who resumes',
    'a stop from before a crash is for ever',
  ),
  core(
    'go-on.ts',
    '    state.open = current?.build && current.tree === null ? reopening(current.iteration) : null;',
    '    state.open = null;',
    'a build without a tree after a full disk',
  ),
  core('go-on.ts', '  state.granted += granted;', '', 'a grant is not one'),
  core('grant.ts', 'iterations + (added', 'iterations + 2 * (added', 'a grant counts twice'),
  core('ending.ts', 'tree: state.atHand', 'tree: state.baseTree', 'another tree is handed over'),
  core(
    'waiting.ts',
    'if (state.activeMs >= spec.limits.wallClock || (left <= 0 && now.hardGreen)) return null;',
    '',
    'waits although the time is used',
  ),
  core(
    'waiting.ts',
    'const left = longest - state.waitedMs;',
    'const left = longest;',
    'waits for an agent for ever',
  ),
  core(
    'integrity.ts',
    'const changed = strict || !integrity.sealed ? meant : [];',
    'const changed = [];',
    'changed tests do not block',
  ),
  core('decide.ts', '  if (state.open) return state.open;\n', '', 'what was begun is decided anew'),
  core(
    'decide.ts',
    '  if (state.away) return waitForAgent(state, spec, state.away);',
    '',
    'an absent agent is no reason to wait',
  ),

  driver('build.ts', '  if (current.build) return;\n', '', 'a build that is recorded is made again'),
  driver(
    'build.ts',
    'if (current.marker !== null && hasBegun(state, ports)) {',
    'if (false) {',
    'an agent that had begun begins again',
  ),
  driver(
    'build.ts',
    'return isOtherBoot || store',
    'return store',
    'a restart of the machine is not noticed',
  ),
  driver(
    'build.ts',
    'if (current.marker !== null && hasBegun(state, ports)) {',
    'if (current.marker !== null) {',
    'an agent that never began counts as begun',
  ),
  driver(
    'build.ts',
    "const deadline = ports.clock.after(spec.limits.wallClock - state.activeMs, () => abort.abort('wall-clock'));",
    'const deadline = { cancel: () => undefined };',
    'no deadline for a build',
  ),
  driver(
    'build.ts',
    'spec.limits.wallClock - state.activeMs, () =>',
    'spec.limits.wallClock, () =>',
    'a build has the time of those before it, too',
  ),
  driver('build.ts', '  if (step.signal.aborted) onCut();\n', '', 'a stop between two steps is missed'),
  driver('build.ts', '    ...guessed,\n', '', 'an interrupted agent costs nothing'),
  driver(
    'drive.ts',
    "      await run.record({ kind: 'decided', decision });\n",
    '',
    'intents are not recorded',
  ),
  driver('drive.ts', '    if (!reopened) {', '    {', 'an intent is recorded again after a crash'),
  driver('drive.ts', '      checkRoom(decision, ports);\n', '', 'a full disk stops nobody'),
  core(
    'evolve.ts',
    'if (isBeforeBuild(state, event)) neverBegan(state);',
    'neverBegan(state);',
    'any fault gives an iteration back',
  ),
  driver(
    'build.ts',
    '    output: keptOutput(state, output, ports),\n',
    '    output: keptOutput(state, output, ports),\n    denied: { times: 1, first: [{ tool: "t", what: output.repeat(2) }] },\n',
    'refused tools are told at any length',
  ),
  driver('drive.ts', "error.fault.code === 'state.unwritable'", 'false', 'a broken log is written to again'),
  driver(
    'judge.ts',
    '(gate) => names.includes(gate.name) && !state.current?.verdicts.has(gate.name),',
    '(gate) => names.includes(gate.name),',
    'recorded verdicts are asked for again',
  ),
  driver(
    'judge.ts',
    'if (!gates.includes(gate.name) || state.current?.controls.has(gate.name)) continue;',
    'if (!gates.includes(gate.name)) continue;',
    'recorded controls are asked for again',
  ),
  driver(
    'judge.ts',
    'return Math.min(own, Math.max(left, usualMs + finishMs));',
    'return 10 ** 9;',
    'a gate may take as long as it likes',
  ),
  driver('begin.ts', '  await endLeftovers(state.runId);\n', '', 'what was left behind lives on'),
  driver(
    'begin.ts',
    'const parent = { runId: state.runId, seq: state.seq, hash',
    'const parent = { runId: state.runId, seq: 1, hash',
    'a linked run forgets where it came from',
  ),
  driver(
    'inbox.ts',
    '      if (known.has(letter.name)) letter.done();\n      else hand(letter, control);',
    '      hand(letter, control);',
    'a letter is taken twice',
  ),
  driver(
    'inbox.ts',
    'return control.redirect({ by, letter, text: request.text }, done);',
    'done();\n      return control.redirect({ by, letter, text: request.text });',
    'a letter is thrown away before it is recorded',
  ),
  driver(
    'inbox.ts',
    "if (request.kind === 'stop') done();",
    '{}',
    'a stop from before is heard after a crash',
  ),
  driver(
    'resumption.ts',
    'state.open && isNow ? beat.sinceMs : 0',
    'beat?.sinceMs ?? 0',
    'an old sign of life counts',
  ),
  driver(
    'perform.ts',
    '      if (state.current?.build && state.current.tree === null)\n',
    '',
    'an agent that was not there leaves a tree',
  ),
  {
    ...driver(
      'perform.ts',
      '  if (await isOther(current.tree, snapshot.tree, ports)) yield snapshot;',
      '  if (current.tree === null) yield snapshot;',
      'the baseline is of another tree',
    ),
    also: [onceMeasured],
  },
  core(
    'quota.ts',
    'used >= quota && resetsAtMs > nowMs',
    'used > 1 && resetsAtMs > nowMs',
    'a usage window is not waited for',
  ),
  core(
    'go-on.ts',
    '  state.held = null;\n  state.paused = false;\n  state.activeMs',
    '  state.held = null;\n  state.activeMs',
    'who goes on after a step stays paused',
  ),
  core(
    'evolve-judged.ts',
    '&& !movedBefore.includes(path));',
    '&& movedBefore.length === 0);',
    'who edits twice before the run is not seen the second time',
  ),
  core(
    'go-on.ts',
    '    gateWrites,\n    learned,\n',
    '    learned,\n',
    'what the gates wrote before a run that never began is taken for work',
  ),
  driver(
    'snapshot.ts',
    '  if (after.tree === judged) return { ...fact, moved: [], fresh: [] };',
    '  return { ...fact, moved: [], fresh: [] };',
    'nothing ever moves',
  ),
  driver(
    'sealed.ts',
    "const first = await judgeOften(request, nowMs, (only) => judgeAs('sealed', only));",
    "const first = await judgeOften(request, nowMs, (only) => judgeAs('as-is', only));",
    "the agent's tests judge",
  ),

  driver(
    'perform.ts',
    'const before = await ports.workspace.restore(tree, kept);',
    'const before = undefined;',
    'a way back is only told',
  ),
  driver(
    'perform.ts',
    'text, outcome }, until.notice);',
    'text, outcome });',
    'a stop waits for the notice of the end',
  ),
  store(
    'runs.ts',
    'if (!disk.exists(path)) reserve.orUse(() => guarded(path, () => disk.put(path, text)));',
    '',
    'texts are not kept',
  ),
  store(
    'runs.ts',
    'if (disk.exists(texts)) disk.settle(texts);',
    '',
    'a text that a killed process kept is not settled',
  ),
  store('log-file.ts', '        file.sync();\n      } catch', '      } catch', 'an append is not synced'),
  store('log-file.ts', '      hash = chain;\n', '', 'the chain does not grow'),
  {
    ...store('runs.ts', 'const text = redact(words);', 'const text = words;', 'secrets are kept in texts'),
    also: [unhidden],
  },
  store(
    'runs.ts',
    'const clean = bodies.map(withoutSecrets);',
    'const clean = [...bodies];',
    'secrets are kept in events',
  ),
  store('reserve.ts', '        disk.remove(path);\n', '', 'the room set aside is not given up'),
  {
    ...store('log-file.ts', '    if (contents.torn) file.cut(contents.bytes);\n', '', 'a torn tail stays'),
    also: [untrimmed],
  },
  {
    ...store(
      'log-file.ts',
      'const cut = cutBack(file, bytes);',
      'const cut = true;',
      'half an event stays after a full disk',
    ),
    also: [untrimmed],
  },
  store(
    'log-file.ts',
    '    file.sync();\n    return makeWriter',
    '    return makeWriter',
    'what is read is not settled',
  ),
];
