import { GetScheduleCommand, SchedulerClient, UpdateScheduleCommand } from '@aws-sdk/client-scheduler';
import { serviceOptions } from '../aws/client-options.ts';
import { safeguard } from './safeguard.ts';

/** Audits and counts run only when a schedule starts them. */
export const schedules = safeguard({
  type: 'AWS::Scheduler::Schedule',
  noun: 'schedule',
  open: (stack) => new SchedulerClient(serviceOptions(stack, 'scheduler')),
  titleOf: ({ physicalId, properties }) =>
    `schedule ${physicalId} (${properties['Description'] ?? 'no description'})`,
  describe: ({ client, id: Name }) => client.send(new GetScheduleCommand({ Name })),
  compare(found, { client, id: Name, what }) {
    if (found.State === 'ENABLED') return [];
    const { Arn, CreationDate, LastModificationDate, $metadata, FlexibleTimeWindow, ...definition } = found;
    // An update replaces everything.
    const update = new UpdateScheduleCommand({
      ...definition,
      Name,
      ScheduleExpression: found.ScheduleExpression,
      Target: found.Target,
      FlexibleTimeWindow: FlexibleTimeWindow ?? { Mode: 'OFF' },
      State: 'ENABLED',
    });
    return [
      { message: `${what} is disabled`, repair: { does: 'enable it', run: () => client.send(update) } },
    ];
  },
});
