import { useQueryClient } from '@tanstack/preact-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import { busySentence } from '../../contract/texts.ts';
import { ApiError } from '../data/api.ts';
import type { Act, Outcome, Plan, Wait } from './act.ts';

/** Where an act is between the dialog that opens and the outcome that is shown. */
export type ActState = {
  /** What it waits for; it goes on by itself. */
  readonly waits?: string | undefined;
} & (
  | { readonly step: 'planning' }
  /** `isNew`: it differs from what was shown before, so the operator has to read it again. */
  | { readonly step: 'ready'; readonly plan: Plan; readonly isNew: boolean }
  /** The API refused it, or did not respond, before anything was done. */
  | { readonly step: 'blocked'; readonly error: unknown }
  | { readonly step: 'acting'; readonly plan: Plan }
  /** No response: it may have been done. A repetition changes nothing more. */
  | { readonly step: 'uncertain'; readonly plan: Plan; readonly error: unknown }
  | { readonly step: 'done'; readonly outcome: Outcome }
);

/** Long enough for a person to type on. */
const typingMilliseconds = 350;

/** Dry run, act and outcome of one dialog. `order` is `undefined` while the operator has to enter it. */
export function useAct(act: Act, order: string | undefined) {
  const client = useQueryClient();
  const [state, setState] = useState<ActState>({ step: 'planning' });
  const latest = useRef(state);
  /** Grows with each step, so that what an earlier one gets late is ignored. */
  const run = useRef(0);
  const become = (next: ActState): void => {
    latest.current = next;
    setState(next);
  };

  async function start(first: ActState, work: (wait: Wait) => Promise<ActState>): Promise<void> {
    run.current += 1;
    const mine = run.current;
    const show = (waits: string | undefined): void => {
      if (mine !== run.current) throw new Error('The dialog was closed, or shows something else.');
      become({ ...latest.current, waits });
    };
    const wait: Wait = async (seconds, subject) => {
      show(busySentence(seconds, subject));
      await new Promise((resume) => setTimeout(resume, seconds * 1_000));
      show(undefined);
    };
    become(first);
    const next = await work(wait).catch((error: unknown): ActState => ({ step: 'blocked', error }));
    if (mine !== run.current) return;
    become(next);
    if (next.step === 'done') void client.invalidateQueries();
  }

  const plan = (wait: Wait): Promise<Plan> => act.plan(order === '' ? undefined : order, wait);
  const refresh = (): Promise<void> =>
    start({ step: 'planning' }, async (wait) => ({ step: 'ready', plan: await plan(wait), isNew: false }));

  /** Acts once, if another dry run still shows what the operator has read: a fact may have arrived. */
  async function confirm(reason: string): Promise<void> {
    const shown = latest.current;
    if (shown.step !== 'ready' && shown.step !== 'uncertain') return;
    const isRepetition = shown.step === 'uncertain';
    await start({ step: 'acting', plan: shown.plan }, async (wait): Promise<ActState> => {
      const current = isRepetition ? shown.plan : await plan(wait);
      if (current.effect !== shown.plan.effect) return { step: 'ready', plan: current, isNew: true };
      try {
        return { step: 'done', outcome: await current.perform(reason, wait, isRepetition) };
      } catch (error) {
        return isUncertain(error) ? { step: 'uncertain', plan: current, error } : { step: 'blocked', error };
      }
    });
  }

  const isFirst = useRef(true);
  useEffect(() => {
    if (order === undefined) return;
    // What was shown is not what the operator has typed since.
    become({ step: 'planning' });
    const timer = setTimeout(() => void refresh(), isFirst.current ? 0 : typingMilliseconds);
    isFirst.current = false;
    return () => {
      clearTimeout(timer);
      run.current += 1;
    };
  }, [act, order]);
  return { state, confirm, refresh };
}

/** A request that got no response may have been carried out, and so may one whose server failed. */
const isUncertain = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
