import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LaboratoryRun } from '../../console/contract/laboratory.ts';
import { type Laboratory, openLaboratory } from '../../local/laboratory/laboratory.ts';
import { createLiveLog } from '../../local/live-log/live-log.ts';
import { isOnPage } from '../../local/scenarios/scenario.ts';
import { scenarios } from '../../local/scenarios/scenarios.ts';
import { eventually, type RunningPipeline, runPipeline } from '../local/pipeline/running-pipeline.ts';

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

const runOf = ({ id }: LaboratoryRun): LaboratoryRun =>
  laboratory.view().runs.find((run) => run.id === id) as LaboratoryRun;
const ended = (started: LaboratoryRun): Promise<LaboratoryRun> =>
  eventually(
    async () => runOf(started),
    (run) => run.ended_at !== null,
    6_000,
  );
const kindsOf = ({ steps }: LaboratoryRun): readonly string[] => steps.map(({ kind }) => kind);
/** Waits until the consumer is stopped. */
const stopped = (started: LaboratoryRun): Promise<unknown> =>
  eventually(
    async () => runOf(started),
    (run) => kindsOf(run).includes('sent'),
  );

// The tests run in this order on one pipeline; what breaks something is the drills' part.
describe('the scenarios of the page', () => {
  it('end as expected when all that break nothing run at once, and show no key', async () => {
    const harmless = scenarios.filter(isOnPage).filter(({ page }) => page.group !== 'faults');
    const runs = await Promise.all(harmless.map(({ name }) => ended(laboratory.start(name))));
    expect(runs.map(({ scenario, as_expected }) => [scenario, as_expected])).toEqual(
      harmless.map(({ name }) => [name, true]),
    );
    expect(JSON.stringify(laboratory.view())).not.toMatch(/pri_\w/);
  });

  it('a fault ends when local mode stops, and the run shows why it ended', async () => {
    const started = laboratory.start('stopped-consumer');
    await stopped(started);
    await laboratory.close();
    const seen = 'The run ended early: local mode was stopped.';
    expect(runOf(started)).toMatchObject({ as_expected: false, seen });
    await pipeline.post(bytesOf(paidEvent({ orderId: 'after-stop' })));
    expect(await pipeline.order('after-stop')).toMatchObject({ status: 'paid' });
    expect(() => laboratory.start('paid')).toThrow('Local mode is stopping.');
  });
});
