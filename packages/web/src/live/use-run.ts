import type { RunFrames } from '@agentgate/server/contract';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Chronicle } from '../model/chronicle.ts';
import { whyOf } from '../parts/use-loaded.ts';
import type { RunSource } from '../source.ts';
import { addressOf, type Answered, ask, isShutOut, type RunKey, runRoute } from './api.ts';
import { useStream } from './use-stream.ts';

/** A run as it happens. */
export interface LiveRun {
  chronicle: Chronicle;
  /** Counts up with every change, so that what is made of the chronicle is made anew. */
  version: number;
  standing: string | null;
  detail: Answered<`GET ${typeof runRoute}`> | null;
  problem: string | null;
  isShutOut: boolean;
  isConnected: boolean;
  source: RunSource;
  /** Asks how the run can be steered now. */
  refresh(): void;
}

export function useRun({ workspace, run }: RunKey): LiveRun {
  const [version, setVersion] = useState(0);
  const [standing, setStanding] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [shutOut, setShutOut] = useState(false);
  const [detail, setDetail] = useState<LiveRun['detail']>(null);
  const held = useRef(new Chronicle());
  const drawn = useRef(0);
  const params = useMemo(() => ({ workspace, run }), [workspace, run]);

  // Many events come at once; the page is drawn once for all of them.
  const draw = () => {
    if (drawn.current !== 0) return;
    drawn.current = requestAnimationFrame(() => {
      drawn.current = 0;
      held.current.settle();
      setVersion((before) => before + 1);
    });
  };
  const begin = () => {
    held.current = new Chronicle();
    draw();
  };
  // A page that nobody sees hears no events, and a standing that is newer than they are would contradict them.
  const read = async () => {
    if (document.hidden) return;
    try {
      const answer = await ask(`GET ${runRoute}`, { params });
      if (document.hidden) return;
      setDetail(answer);
      setStanding(answer.run.standing);
      setProblem(answer.run.damage);
    } catch (error) {
      setShutOut(isShutOut(error));
      setProblem(whyOf(error));
    }
  };
  const refresh = () => void read();

  useEffect(() => {
    begin();
    setDetail(null);
    refresh();
    document.addEventListener('visibilitychange', refresh);
    return () => document.removeEventListener('visibilitychange', refresh);
  }, [params]);
  const isConnected = useStream<RunFrames>(
    (after) => addressOf(`GET ${runRoute}/stream`, params, after === null ? {} : { after }),
    () => ({
      events(events) {
        for (const event of events) held.current.take(event);
        draw();
      },
      standing(frame) {
        setStanding(frame.standing);
        refresh();
      },
      restart: begin,
      problem: (told) => setProblem(told.message),
    }),
    [params],
  );
  // What can be done depends on where the run stands, which changes with its decisions.
  const decided = held.current.decided.length;
  useEffect(() => {
    const timer = setTimeout(refresh, 250);
    return () => clearTimeout(timer);
  }, [params, decided, held.current.state.ended]);

  const source = useMemo(() => sourceOf(params), [params]);
  return {
    chronicle: held.current,
    version,
    standing,
    detail,
    problem,
    isShutOut: shutOut,
    isConnected,
    source,
    refresh,
  };
}

const sourceOf = (params: { workspace: string; run: string }): RunSource => ({
  text: ({ runId, ref }) =>
    ask(`GET ${runRoute}/outputs/{ref}`, { params: { workspace: params.workspace, run: runId, ref } }),
  diff: (from, to) => ask(`GET ${runRoute}/diff`, { params, query: { from, to } }),
});
