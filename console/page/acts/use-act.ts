import { useQueryClient } from '@tanstack/preact-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import { whenFree } from '../../contract/texts.ts';
import type { ActPlan } from '../../contract.ts';
import { ApiError } from '../data/api.ts';
import { type Act, confirm as confirmAct, type Outcome, planOf, singleActs } from './act.ts';

/** Where an act is between the dialog that opens and the outcome that is shown. */
export type ActState = {
  /** What it waits for; it goes on by itself. */
  readonly waits?: string | undefined;
} & (
  | { readonly step: 'planning' }
  /** `news`: it differs from what was shown before, so the operator has to read it again. */
  | { readonly step: 'ready'; readonly plan: ActPlan; readonly news?: News }
  /** The server refused it, or could not plan it, before anything was done. */
  | { readonly step: 'blocked'; readonly error: unknown }
  | { readonly step: 'acting'; readonly plan: ActPlan }
  /** No response: it may have been done. A repetition changes nothing more. */
  | { readonly step: 'uncertain'; readonly plan: ActPlan; readonly error: unknown }
  | { readonly step: 'done'; readonly outcome: Outcome }
);

/** Whether nothing was done yet; not known after a lost response. */
type News = 'of_first' | 'of_repetition';

type Show = (waits: string | undefined) => void;
type Repeat = <Result>(request: () => Promise<Result>) => Promise<Result>;

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

  async function start(
    first: ActState,
    work: (whileBusy: Repeat, show: Show) => Promise<ActState>,
  ): Promise<void> {
    run.current += 1;
    const mine = run.current;
    const show: Show = (waits) => {
      if (mine !== run.current) throw new Error('The dialog was closed, or shows something else.');
      become({ ...latest.current, waits });
    };
    const wait = async (seconds: number, error: unknown): Promise<void> => {
      show(messageOf(error));
      await new Promise((resume) => setTimeout(resume, seconds * 1_000));
      show(undefined);
    };
    const whileBusy: Repeat = (request) => whenFree({ request, retryAfterSecondsOf, wait });
    become(first);
    const next = await work(whileBusy, show).catch(
      (error: unknown): ActState => ({ step: 'blocked', error }),
    );
    if (mine !== run.current) return;
    become(next);
    if (next.step === 'done') void client.invalidateQueries();
  }

  const named = order === '' ? undefined : order;
  const refresh = (): Promise<void> =>
    start({ step: 'planning' }, async (whileBusy, show) => {
      const request = () =>
        'bulk' in act ? act.bulk.plan(singleActs(whileBusy, show)) : planOf(act.requestOf(named));
      return { step: 'ready', plan: await whileBusy(request) };
    });

  async function confirm(reason: string): Promise<void> {
    const shown = latest.current;
    if (shown.step !== 'ready' && shown.step !== 'uncertain') return;
    const { plan } = shown;
    const isRepetition = shown.step === 'uncertain';
    await start({ step: 'acting', plan }, async (whileBusy, show): Promise<ActState> => {
      const request = () => {
        if ('bulk' in act) return act.bulk.confirm(singleActs(whileBusy, show), reason);
        return confirmAct(plan, { act: act.requestOf(named), reason, is_repetition: isRepetition });
      };
      try {
        const confirmation = await whileBusy(request);
        if (confirmation.step === 'done') return confirmation;
        const news = isRepetition ? 'of_repetition' : 'of_first';
        return { step: 'ready', plan: confirmation.plan, news };
      } catch (error) {
        return isUncertain(error) ? { step: 'uncertain', plan, error } : { step: 'blocked', error };
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

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function retryAfterSecondsOf(error: unknown): number | undefined {
  const seconds = error instanceof ApiError && error.problem['retry_after_seconds'];
  return typeof seconds === 'number' ? seconds : undefined;
}

/** A request that got no response may have been carried out, and so may one that was not refused. */
const isUncertain = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status < 400 || error.status >= 500;
