import { expect, it, onTestFinished } from 'vitest';
import { eventBody } from '../../doubles/event-body.ts';
import { eventually, runPipeline } from './running-pipeline.ts';

it('an act in the setting approvals waits for another identity than the one of local mode', async () => {
  const pipeline = await runPipeline({ settings: { approvals: 'dismiss' } });
  onTestFinished(() => pipeline.stop());
  const { operations, post, runSchedules, baseUrl } = pipeline;
  await post(eventBody({ id: 'r', action: 'refunded' }));
  await eventually(
    () => operations.waiting(),
    ({ events }) => events.length === 1,
  );
  const reason = 'a test';
  const { changed, proposal_id, plan_sha256 } = await operations.dismiss({ event_id: 'r', reason });
  const id = `${proposal_id}`;
  expect([changed, (await operations.waiting()).events.length]).toEqual([false, 1]);
  const list = await operations.approvals();
  expect(list).toMatchObject({ required: ['dismiss'], proposals: [{ id, act: 'dismiss', plan_sha256 }] });
  await expect(operations.approve({ id, plan_sha256, reason })).rejects.toThrow(
    'another identity must approve it',
  );
  await runSchedules();
  const alarms = async () =>
    (await (await fetch(`${baseUrl}/alarms`)).json()) as { name: string; state: string }[];
  const isOn = ({ name, state }: { name: string; state: string }) =>
    name.endsWith('DecisionsWaiting') && state === 'ALARM';
  await eventually(alarms, (all) => all.some(isOn));
  expect(await operations.reject({ id, reason })).toMatchObject({ waits: false, rejected: { reason } });
  expect((await operations.approvals()).proposals).toEqual([]);
});
