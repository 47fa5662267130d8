import type { LaboratoryFault, LaboratoryRun, LaboratoryView } from '../../console/contract/laboratory.ts';
import type { Bench } from './bench.ts';
import type { Experiment } from './experiment.ts';
import { createRunRecord, type RunParts, type RunRecord } from './run-record.ts';

export type Start =
  | { readonly ok: true; readonly run: LaboratoryRun }
  | { readonly ok: false; readonly status: 404 | 409; readonly detail: string };

export interface Laboratory {
  view(): LaboratoryView;
  /** Starts an experiment by its name; it goes on without a reader, and ends by itself. */
  start(name: string): Start;
  /** Ends what runs; resolves when no fault is left. */
  close(): Promise<void>;
}

/** Those that go on stay in any case. */
const endedRunsMax = 20;

/** Runs experiments, those that disturb others one at a time, and keeps what they showed. */
export function createLaboratory(
  experiments: readonly Experiment[],
  openBench: (parts: RunParts) => Bench,
): Laboratory {
  const stopping = new AbortController();
  const running = new Map<Experiment, Promise<void>>();
  const faults = new Set<LaboratoryFault>();
  let records: readonly RunRecord[] = [];

  function refusalOf({ name, title, disturbs }: Experiment): string | null {
    if (stopping.signal.aborted) return 'Local mode is stopping.';
    const others = [...running.keys()];
    if (others.some((one) => one.name === name)) return `"${title}" is running; wait for its end.`;
    const disturbing = disturbs && others.find((one) => one.disturbs);
    if (!disturbing) return null;
    return `"${disturbing.title}" is running, and would disturb this experiment; wait for its end.`;
  }

  async function run(experiment: Experiment, record: RunRecord): Promise<void> {
    const { signal } = stopping;
    try {
      record.end(await experiment.run(openBench({ experiment: experiment.name, record, faults, signal })));
    } catch (error) {
      const reason = signal.aborted ? 'local mode was stopped' : String(error);
      record.end({ asExpected: false, seen: `The run ended early: ${reason}.` });
    } finally {
      running.delete(experiment);
    }
  }

  return {
    view: () => ({
      experiments: experiments.map(({ run: _, disturbs: __, ...experiment }, index) => ({
        ...experiment,
        refusal: refusalOf(experiments[index] as Experiment),
      })),
      faults: [...faults],
      runs: records.map((record) => record.view()),
    }),
    start(name) {
      const experiment = experiments.find((one) => one.name === name);
      if (experiment === undefined) {
        const names = experiments.map((one) => one.name).join(', ');
        return { ok: false, status: 404, detail: `There is no such experiment; expected one of ${names}.` };
      }
      const detail = refusalOf(experiment);
      if (detail !== null) return { ok: false, status: 409, detail };
      const record = createRunRecord(experiment);
      records = [record, ...records].filter((one, index) => index < endedRunsMax || !one.isEnded());
      const started = Promise.resolve().then(() => run(experiment, record));
      running.set(experiment, started);
      return { ok: true, run: record.view() };
    },
    async close() {
      stopping.abort();
      await Promise.all(running.values());
    },
  };
}
