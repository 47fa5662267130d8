import { busySentence } from '../../../cli/when-free.ts';

/** Waits so many seconds for what a consumer may still be working on. Rejects when the dialog is closed. */
export type Wait = (seconds: number, subject: string) => Promise<void>;

/** Where an act is between the dialog that opens and the result that is shown. */
export type ActState<Preview, Result> =
  /** The dry run is under way. `waits`: it, or an act, waits, and for what. */
  | { readonly step: 'previewing'; readonly waits?: string | undefined }
  /** `isNew`: it differs from what was shown before, so the operator has to read it again. */
  | { readonly step: 'ready'; readonly preview: Preview; readonly isNew: boolean }
  /** The API refused it, or did not respond, before anything was done. */
  | { readonly step: 'blocked'; readonly error: unknown }
  | { readonly step: 'acting'; readonly preview: Preview; readonly waits?: string | undefined }
  /** No response: it may have been done. A repetition changes nothing more. */
  | { readonly step: 'uncertain'; readonly preview: Preview; readonly error: unknown }
  | {
      readonly step: 'done';
      readonly preview: Preview;
      readonly result: Result;
      /** Whether an earlier request got no response. */
      readonly isRepetition: boolean;
    };

export interface ActFlowParts<Preview, Result> {
  /** The dry run. */
  preview(wait: Wait): Promise<Preview>;
  act(preview: Preview, reason: string, wait: Wait): Promise<Result>;
  /** What the operator agrees to, as text to compare. */
  effectOf(preview: Preview): string;
  /** Whether an error leaves open if the act was done. */
  isUncertain(error: unknown): boolean;
  pause(milliseconds: number): Promise<unknown>;
  onState(state: ActState<Preview, Result>): void;
}

export interface ActFlow {
  /** Runs the dry run: at first, when the operator has chosen something else, and after an error. */
  refresh(): Promise<void>;
  /** Acts once, if the dry run still shows what the operator has read. */
  confirm(reason: string): Promise<void>;
  close(): void;
}

/** Dry run, act and result of one dialog. */
export function createActFlow<Preview, Result>(parts: ActFlowParts<Preview, Result>): ActFlow {
  let state: ActState<Preview, Result> = { step: 'previewing' };
  /** Grows with each dry run, so that a late response of an earlier one is ignored. */
  let run = 0;

  function become(next: ActState<Preview, Result>): void {
    state = next;
    parts.onState(next);
  }

  const waitIn =
    (mine: number): Wait =>
    async (seconds, subject) => {
      const show = (waits: string | undefined) => {
        if (mine !== run) throw new Error('The dialog was closed.');
        if (state.step === 'previewing' || state.step === 'acting') become({ ...state, waits });
      };
      show(busySentence(seconds, subject));
      await parts.pause(seconds * 1_000);
      show(undefined);
    };

  async function perform(preview: Preview, reason: string, isRepetition: boolean): Promise<void> {
    const mine = run;
    become({ step: 'acting', preview });
    try {
      const result = await parts.act(preview, reason, waitIn(mine));
      if (mine === run) become({ step: 'done', preview, result, isRepetition });
    } catch (error) {
      if (mine !== run) return;
      become(parts.isUncertain(error) ? { step: 'uncertain', preview, error } : { step: 'blocked', error });
    }
  }

  /** Reads again before the act: another operator may have acted, or a fact may have arrived. */
  async function confirmShown(shown: Preview, reason: string): Promise<void> {
    run += 1;
    const mine = run;
    become({ step: 'acting', preview: shown });
    try {
      const preview = await parts.preview(waitIn(mine));
      if (mine !== run) return;
      if (parts.effectOf(preview) !== parts.effectOf(shown)) become({ step: 'ready', preview, isNew: true });
      else await perform(preview, reason, false);
    } catch (error) {
      if (mine === run) become({ step: 'blocked', error });
    }
  }

  return {
    async refresh() {
      if (!['previewing', 'ready', 'blocked'].includes(state.step)) return;
      run += 1;
      const mine = run;
      become({ step: 'previewing' });
      try {
        const preview = await parts.preview(waitIn(mine));
        if (mine === run) become({ step: 'ready', preview, isNew: false });
      } catch (error) {
        if (mine === run) become({ step: 'blocked', error });
      }
    },
    async confirm(reason) {
      if (state.step === 'ready') await confirmShown(state.preview, reason);
      else if (state.step === 'uncertain') await perform(state.preview, reason, true);
    },
    close() {
      run += 1;
    },
  };
}
