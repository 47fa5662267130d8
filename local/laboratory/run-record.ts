import { AssertionError } from 'node:assert';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { LaboratoryRun, LaboratoryStep } from '../../console/contract/laboratory.ts';
import type { PageScenario } from '../scenarios/scenario.ts';
import type { Fault, StageParts } from '../scenarios/stage.ts';

export type RunRecord = ReturnType<typeof createRunRecord>;

/** What a page shows of one run; it grows while the run goes on. */
export function createRunRecord({ name, title, page }: Pick<PageScenario, 'name' | 'title' | 'page'>) {
  const id = randomUUID();
  const startedAt = new Date().toISOString();
  const steps: LaboratoryStep[] = [];
  let end: Pick<LaboratoryRun, 'ended_at' | 'seen' | 'as_expected'> = {
    ...{ ended_at: null, seen: null, as_expected: null },
  };
  const step: StageParts['step'] = (kind, text, link) => {
    steps.push({ at: new Date().toISOString(), kind, text, link: link ?? null });
  };
  return {
    step,
    /** Without an error it ended as expected. */
    end(error?: unknown): void {
      const reason = error instanceof AssertionError ? error.message : `The run ended early: ${error}.`;
      const seen = error === undefined ? (steps.at(-1)?.text ?? '') : reason;
      end = { ended_at: new Date().toISOString(), seen, as_expected: error === undefined };
    },
    isEnded: (): boolean => end.ended_at !== null,
    view: (): LaboratoryRun => ({
      ...{ id, scenario: name, title, expected: page.expected, started_at: startedAt, ...end },
      steps: [...steps],
    }),
  };
}

/** The faults of one run, which end after their time whatever happens, and earlier when local mode stops. */
export function createFaults(
  title: string,
  milliseconds: number,
  parts: Pick<StageParts, 'step' | 'signal'>,
) {
  const { step, signal } = parts;
  const lasting: Promise<void>[] = [];
  return {
    async fail({ begin, end, over }: Fault): Promise<void> {
      step('fault', `${title}, for ${milliseconds / 1_000} seconds.`);
      const begun = begin();
      async function endInTime(): Promise<void> {
        await Promise.allSettled([begun, pause(milliseconds, undefined, { signal })]);
        await end();
        step('fault', over);
      }
      lasting.push(endInTime());
      await begun;
    },
    /** Resolves when none is left. */
    over: () => Promise.all(lasting),
  };
}
