import type { LaboratoryRun, LaboratoryView } from '../../console/contract/laboratory.ts';
import type { ConsoleRoute } from '../../console/server/context.ts';
import { ConsoleProblem } from '../../console/server/problem.ts';
import type { LiveLog } from '../live-log/live-log.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { isOnPage, type PageScenario } from '../scenarios/scenario.ts';
import { scenarios } from '../scenarios/scenarios.ts';
import { createStage, randomSuffix, type Stage, type StageParts } from '../scenarios/stage.ts';
import { createFaults, createRunRecord, type RunRecord } from './run-record.ts';

export type Laboratory = ReturnType<typeof createLaboratory>;

/** Those that go on stay in any case. */
const endedRunsMax = 20;
const faultMilliseconds = 10_000;

/** The laboratory of a running local mode. Its keys stay on this side of the console. */
export const openLaboratory = (pipeline: Pipeline, liveLog: Pick<LiveLog, 'subscribe'>): Laboratory =>
  createLaboratory(scenarios.filter(isOnPage), (name, parts) =>
    createStage({ pipeline, liveLog, orderId: `lab-${name}-${randomSuffix()}`, ...parts }),
  );

type OpenStage = (name: string, parts: Pick<StageParts, 'step' | 'fail' | 'signal'>) => Stage;

/** Runs scenarios, those that break something one at a time, and keeps what they showed. */
export function createLaboratory(scenarios: readonly PageScenario[], openStage: OpenStage) {
  const stopping = new AbortController();
  const running = new Map<PageScenario, Promise<void>>();
  let records: readonly RunRecord[] = [];

  function refusalOf({ name, title, page }: PageScenario): string | null {
    if (stopping.signal.aborted) return 'Local mode is stopping.';
    const others = [...running.keys()];
    if (others.some((one) => one.name === name)) return `"${title}" is running; wait for its end.`;
    const disturbing = others.find((one) => one.page.group === 'faults');
    if (page.group !== 'faults' || disturbing === undefined) return null;
    return `"${disturbing.title}" is running, and would disturb this scenario; wait for its end.`;
  }

  async function run(scenario: PageScenario, record: RunRecord): Promise<void> {
    const { signal } = stopping;
    const { step } = record;
    const { fail, over } = createFaults(scenario.title, faultMilliseconds, { step, signal });
    let failure: unknown;
    try {
      const { end } = await scenario.begin(openStage(scenario.name, { step, fail, signal }));
      await over();
      await end?.();
    } catch (error) {
      failure = signal.aborted ? 'local mode was stopped' : error;
    }
    await over().catch(() => undefined);
    record.end(failure);
    running.delete(scenario);
  }

  return {
    view: (): LaboratoryView => ({
      scenarios: scenarios.map((scenario) => ({
        ...{ name: scenario.name, title: scenario.title, ...scenario.page },
        // With minutes, a run ends long before the alarm would fire.
        alarm: scenario.minutes === undefined ? scenario.alarm : null,
        refusal: refusalOf(scenario),
      })),
      runs: records.map((record) => record.view()),
    }),
    /** Starts a scenario, which goes on without a reader and ends by itself. Throws a ConsoleProblem. */
    start(name: string): LaboratoryRun {
      const scenario = scenarios.find((one) => one.name === name);
      if (scenario === undefined) {
        const names = scenarios.map((one) => one.name).join(', ');
        throw new ConsoleProblem(404, `There is no such scenario; expected one of ${names}.`);
      }
      const refusal = refusalOf(scenario);
      if (refusal !== null) throw new ConsoleProblem(409, refusal);
      const record = createRunRecord(scenario);
      records = [record, ...records].filter((one, index) => index < endedRunsMax || !one.isEnded());
      const started = Promise.resolve().then(() => run(scenario, record));
      running.set(scenario, started);
      return record.view();
    },
    /** Ends what runs; resolves when no fault is left. */
    async close(): Promise<void> {
      stopping.abort();
      await Promise.all(running.values());
    },
  };
}

/** The resources of the console that only local mode has. Without a laboratory it has not started yet. */
export function laboratoryRoutes(find: () => Laboratory | undefined): readonly ConsoleRoute[] {
  function laboratory(): Laboratory {
    const found = find();
    if (found === undefined) throw new ConsoleProblem(503, 'Local mode is starting; try again in a moment.');
    return found;
  }
  return [
    {
      method: 'GET',
      path: '/console/api/laboratory',
      handle: async (): Promise<LaboratoryView> => laboratory().view(),
    },
    {
      method: 'POST',
      path: '/console/api/laboratory/{scenario}',
      handle: async ({ parameters: { scenario = '' } }): Promise<LaboratoryRun> =>
        laboratory().start(scenario),
    },
  ];
}
