import { ScanCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { eventBody } from '../doubles/event-body.ts';
import { type Deployment, startDeployment } from './alarms/deployment.ts';
import { completeSettings } from './alarms/settings.ts';
import { waitingFaults } from './alarms/waiting-faults.ts';
import { synthesise } from './synthesis.ts';

const stack = synthesise(completeSettings);
const levels = Object.entries(waitingFaults).filter(([name]) => name !== 'WaitingCountSilent');

/** What an operator does with the command of the runbook, for every row that waits. */
async function takeAllOffTheList({ client }: Deployment): Promise<void> {
  const { Items = [] } = await client.send(new ScanCommand({ TableName: 'events', IndexName: 'waiting' }));
  expect(Items.length).toBeGreaterThan(0);
  for (const { event_key = { S: '' }, record = { S: '' } } of Items) {
    await client.send(
      new UpdateItemCommand({
        TableName: 'events',
        Key: { event_key, record },
        UpdateExpression: 'REMOVE waiting',
        ConditionExpression: 'attribute_exists(waiting)',
      }),
    );
  }
}

describe('the alarm for what waits', () => {
  it.each(levels)(
    '%s stays on until a person has taken the last row off the list',
    async (name, { cause }) => {
      const deployment = await startDeployment(stack);
      await cause(deployment);
      await deployment.pass(30);
      expect(deployment.firing()).toEqual([name]);
      await takeAllOffTheList(deployment);
      await deployment.pass(4);
      expect(deployment.firing()).toEqual([]);
    },
  );

  it('stays on while nothing counts', async () => {
    const deployment = await startDeployment(stack);
    await waitingFaults['EventConflicts']?.cause(deployment);
    deployment.stopped.add('WaitingCount');
    await deployment.pass(60);
    expect(deployment.firing()).toEqual(['EventConflicts', 'WaitingCountSilent', 'LogsSilent']);
  });

  it('fires although the response of the write that stored the row was lost', async () => {
    const deployment = await startDeployment(synthesise({ ...completeSettings, logLevel: 'info' }));
    const { post, pass, faults, logged, state, stopped } = deployment;
    state.minutesPerCount = 1;
    // Its events would be handled too.
    stopped.add('Heartbeat');
    faults.lostResponses = new Error('socket hang up');
    await post(Buffer.from('not an event'));
    await pass(1);
    expect(logged('event handled')).toBe(0);
    delete faults.lostResponses;
    await pass(3);
    expect(logged('event handled')).toBe(1);
    expect(deployment.firing()).toEqual(['EventsUnrecognised']);
  });

  it('ends by itself when an event that waited finds its order', async () => {
    const deployment = await startDeployment(stack);
    const { post, pass, state } = deployment;
    state.minutesPerCount = 1;
    await post(eventBody({ id: 'refund', action: 'refunded' }));
    await pass(2);
    expect(deployment.firing()).toEqual(['EventsUnassigned']);
    await post(eventBody({ id: 'payment', order: 'order-1' }));
    await pass(4);
    expect(deployment.firing()).toEqual([]);
  });
});
