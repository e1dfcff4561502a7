import type { Evidence } from '@agentgate/core';
import { useMemo, useState } from 'preact/hooks';
import type { Chronicle, Decided } from '../model/chronicle.ts';

/** Judging and confirming follow from the rest; the choices are told first. */
const byThemselves = new Set(['measure-baseline', 'judge', 'confirm', 'control', 'consult', 'notify']);

const verbs: Record<Decided['decision']['kind'], string> = {
  'measure-baseline': 'measured',
  'start-iteration': 'went on',
  judge: 'judged',
  confirm: 'confirmed',
  control: 'judged without the change',
  consult: 'asked the strategy',
  ask: 'asked a person',
  'make-move': 'changed something',
  notify: 'told a person',
  wait: 'waited',
  'end-run': 'ended',
};

const page = 40;

/** Every decision with its reason and the evidence it used, the newest first. */
export function Decisions({
  chronicle,
  version,
  onSelect,
}: {
  chronicle: Chronicle;
  version: number;
  onSelect(iteration: number): void;
}) {
  const [all, setAll] = useState(false);
  const [most, setMost] = useState(page);
  const shown = useMemo(
    () => chronicle.decided.filter((one) => all || !byThemselves.has(one.decision.kind)).toReversed(),
    [chronicle, version, all],
  );
  return (
    <section class="card" aria-labelledby="decisions">
      <header class="row">
        <h2 id="decisions">
          Decisions <span class="count">{shown.length}</span>
        </h2>
        <label class="check">
          <input type="checkbox" checked={all} onChange={(event) => setAll(event.currentTarget.checked)} />
          also those that follow by themselves
        </label>
      </header>
      <ol class="decisions">
        {shown.slice(0, most).map((one) => (
          <DecisionLine key={`${one.runId}-${one.seq}`} decided={one} onSelect={onSelect} />
        ))}
      </ol>
      {shown.length > most && (
        <button type="button" class="quiet" onClick={() => setMost(most + page * 5)}>
          {shown.length - most} older ones
        </button>
      )}
    </section>
  );
}

function DecisionLine({ decided, onSelect }: { decided: Decided; onSelect(iteration: number): void }) {
  const [open, setOpen] = useState(false);
  const { because, decision, iteration, told } = decided;
  return (
    <li>
      <div class="decision">
        <button type="button" class="link number" onClick={() => onSelect(iteration)}>
          {iteration}
        </button>
        <button type="button" class="decision-text" aria-expanded={open} onClick={() => setOpen(!open)}>
          <b>{decision.kind === 'end-run' ? `ended ${decision.status}` : verbs[decision.kind]}</b>{' '}
          <span>{because.reason}</span> <code class="muted">{because.code}</code>
        </button>
      </div>
      {open && (
        <div class="inset">
          {told.map((sentence, index) => (
            <p key={index}>{sentence}</p>
          ))}
          <dl class="evidence">
            <dt>confidence</dt>
            <dd>{because.confidence}</dd>
            {Object.entries(because.evidence).map(([name, value]) => (
              <EvidenceLine key={name} name={name} value={value} />
            ))}
            {because.also.map((also) => (
              <>
                <dt>also held</dt>
                <dd>
                  {also.reason} <code class="muted">{also.code}</code>
                </dd>
              </>
            ))}
          </dl>
          <p class="muted">
            event {decided.seq} of run {decided.runId}, <time dateTime={decided.at}>{decided.at}</time>
          </p>
        </div>
      )}
    </li>
  );
}

function EvidenceLine({ name, value }: { name: string; value: Evidence[string] }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{Array.isArray(value) ? value.join(', ') : String(value)}</dd>
    </>
  );
}
