/** What a gate proves, which is also its name unless another has it. */
export type Proof = 'tests' | 'types' | 'lint' | 'build' | 'artifact' | 'syntax';

interface Proposed {
  name: string;
  proves: Proof;
  severity: 'hard' | 'soft';
  /** Where it was seen. */
  because: string;
}

/** A gate that a project seems to have, with the reason it was found. */
export type ProposedGate = Proposed & ({ run: string } | { exists: string[] });

export function commandGate(proves: Proof, run: string, because: string): ProposedGate {
  return { name: proves, proves, run, severity: 'hard', because };
}

export function artifactGate(exists: string[], because: string): ProposedGate {
  return { name: 'artifact', proves: 'artifact', exists, severity: 'hard', because };
}

/** Puts further gates behind those there are; one whose name is taken gets the next that is free. */
export function withGates(
  there: readonly ProposedGate[],
  more: readonly ProposedGate[],
  rename: (gate: ProposedGate) => string = ({ name }) => name,
): ProposedGate[] {
  const gates = [...there];
  for (const gate of more) {
    const taken = new Set(gates.map(({ name }) => name));
    const wanted = taken.has(gate.name) ? rename(gate) : gate.name;
    let name = wanted;
    for (let n = 2; taken.has(name); n++) name = `${wanted}-${n}`;
    gates.push({ ...gate, name });
  }
  return gates;
}

/** Those that prove what nothing there proves yet. */
export function missingProofs(there: readonly ProposedGate[], more: readonly ProposedGate[]): ProposedGate[] {
  return more.filter((gate) => !there.some(({ proves }) => proves === gate.proves));
}
