import { randomUUID } from 'node:crypto';
import type {
  ExperimentView,
  LaboratoryFault,
  LaboratoryLink,
  LaboratoryProgress,
  LaboratoryRun,
  LaboratoryStep,
} from '../../console/contract/laboratory.ts';

/** How a run ended. */
export interface Verdict {
  readonly asExpected: boolean;
  /** A sentence. */
  readonly seen: string;
}

/** What the laboratory gives to one run. */
export interface RunParts {
  readonly experiment: ExperimentView['name'];
  readonly record: RunRecord;
  /** Those that are on, of all runs. */
  readonly faults: Set<LaboratoryFault>;
  /** Aborts when local mode stops. */
  readonly signal: AbortSignal;
}

export type RunRecord = ReturnType<typeof createRunRecord>;

type ExperimentFacts = Pick<ExperimentView, 'name' | 'title' | 'expected'>;

/** What a page shows of one run; it grows while the run goes on. */
export function createRunRecord({ name, title, expected }: ExperimentFacts) {
  const id = randomUUID();
  const startedAt = new Date();
  const steps: LaboratoryStep[] = [];
  let progress: LaboratoryProgress | null = null;
  let end: { readonly at: string; readonly verdict: Verdict } | undefined;
  return {
    startedAt,
    step(kind: LaboratoryStep['kind'], text: string, link: LaboratoryLink | null = null): void {
      steps.push({ at: new Date().toISOString(), kind, text, link });
    },
    progress(change: Partial<LaboratoryProgress>): void {
      progress = { total: 0, sent: 0, acknowledged: 0, recorded: 0, ...progress, ...change };
    },
    end(verdict: Verdict): void {
      end = { at: new Date().toISOString(), verdict };
    },
    isEnded: (): boolean => end !== undefined,
    view: (): LaboratoryRun => ({
      ...{ id, experiment: name, title, expected, progress },
      started_at: startedAt.toISOString(),
      ended_at: end?.at ?? null,
      seen: end?.verdict.seen ?? null,
      as_expected: end?.verdict.asExpected ?? null,
      steps: [...steps],
    }),
  };
}
