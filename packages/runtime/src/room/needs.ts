import { type NamedGate, type Rung, rungs } from '@agentgate/core';

/** A program that must be up before the gate's command begins, and ends with it. */
export interface Service {
  name: string;
  run: string | readonly string[];
  /** A port of this machine, or a command that succeeds, once it is up; without it nothing is waited for. */
  ready?: { port: number } | { run: string | readonly string[] } | undefined;
  timeout: number;
}

/** What one gate needs of its room. */
export interface RoomNeeds {
  network: 'off' | 'loopback' | 'on';
  services: readonly Service[];
  /** Host paths that the gate reads. */
  data: readonly string[];
}

export const noNeeds: RoomNeeds = { network: 'off', services: [], data: [] };

/** Whether a rung allows all that another one does. */
export const reaches = (rung: Rung, wanted: Rung): boolean => rungs.indexOf(rung) >= rungs.indexOf(wanted);

/** What a gate says it needs. A server that we ask from outside must be reached from there. */
export function needsOf(gate: NamedGate): RoomNeeds {
  const { network, data } = gate;
  const services = Object.entries(gate.services).map(([name, service]) => ({ name, ...service }));
  return { network: gate.kind === 'http' ? 'on' : network, services, data };
}
