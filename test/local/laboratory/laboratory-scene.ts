import { afterAll, beforeAll, expect } from 'vitest';
import type { LaboratoryRun } from '../../../console/contract/laboratory.ts';
import type { Laboratory } from '../../../local/laboratory/laboratory.ts';
import { openLaboratory } from '../../../local/laboratory/open-laboratory.ts';
import { createLiveLog } from '../../../local/live-log/live-log.ts';
import type { View } from '../../acceptance/pipeline.ts';
import { eventually, type RunningPipeline, runPipeline } from '../pipeline/running-pipeline.ts';

/** A pipeline with its laboratory, which the tests of one file share. */
export function useLaboratory() {
  const liveLog = createLiveLog({ write: () => undefined, colours: false });
  let pipeline: RunningPipeline;
  let laboratory: Laboratory;
  beforeAll(async () => {
    pipeline = await runPipeline({ onLine: liveLog.onLine });
    laboratory = openLaboratory(pipeline, liveLog);
  });
  afterAll(async () => {
    await laboratory.close();
    await pipeline.stop();
  });
  const viewOf = (id: string): LaboratoryRun | undefined =>
    laboratory.view().runs.find((one) => one.id === id);
  const get = async (path: string): Promise<View & { readonly http: number }> => {
    const { status, json } = await pipeline.get(path);
    return { ...json, http: status };
  };
  return {
    get pipeline() {
      return pipeline;
    },
    get laboratory() {
      return laboratory;
    },
    /** A second one over the same pipeline. */
    openAnother: () => openLaboratory(pipeline, liveLog),
    ...{ viewOf, get },
    /** Runs an experiment to its end, which must be the right one. */
    async run(name: string): Promise<LaboratoryRun & { readonly orderId: string }> {
      const start = laboratory.start(name);
      if (!start.ok) throw new Error(start.detail);
      const ended = await eventually(
        async () => viewOf(start.run.id),
        (view) => typeof view?.ended_at === 'string',
        6_000,
      );
      expect(ended).toMatchObject({ as_expected: true });
      const { id = '' } = ended?.steps.findLast(({ link }) => link?.page === 'order')?.link ?? {};
      return { ...(ended as LaboratoryRun), orderId: id };
    },
    async countEvents(orderId: string): Promise<number> {
      const { events } = await get(`/orders/${orderId}`);
      return (events as unknown[]).length;
    },
    async untilFiring(alarm: string): Promise<void> {
      const states = async () => (await pipeline.get('/alarms')).json as unknown as View[];
      const fires = (list: View[]) => list.some(({ name, state }) => name === alarm && state === 'ALARM');
      await eventually(states, fires);
    },
    async faultBegins(experiment: string): Promise<void> {
      const faults = async () => laboratory.view().faults;
      await eventually(faults, (list) => list.some((fault) => fault.experiment === experiment));
    },
  };
}

/** Of the steps of one kind. */
export const texts = ({ steps }: LaboratoryRun, kind: string): string[] =>
  steps.filter((step) => step.kind === kind).map(({ text }) => text);
