import { GetScheduleCommand, SchedulerClient, UpdateScheduleCommand } from '@aws-sdk/client-scheduler';
import { serviceOptions } from '../aws/client-options.ts';
import { type Deployed, type DeployedResource, ofType } from '../aws/deployed-resources.ts';
import { counted } from '../check-result.ts';
import { revertDriftOf } from '../stack/stack.ts';
import { deletedByHand, type Fault, type Safeguard } from './safeguard.ts';

/** Audits and counts run only when a schedule starts them. */
export const schedules: Safeguard = {
  name: 'schedules',
  async inspect(deployed) {
    const client = new SchedulerClient(serviceOptions(deployed.stack, 'scheduler'));
    const wanted = ofType(deployed, 'AWS::Scheduler::Schedule').filter(
      ({ properties }) => properties['State'] !== 'DISABLED',
    );
    const faults = await Promise.all(wanted.map((one) => faultsOf(client, deployed, one)));
    return { holds: `${counted(wanted.length, 'schedule')}: enabled`, faults: faults.flat() };
  },
};

async function faultsOf(
  client: SchedulerClient,
  { stack }: Deployed,
  { physicalId: Name, properties }: DeployedResource,
): Promise<Fault[]> {
  const purpose = `the schedule ${Name} (${properties['Description'] ?? 'no description'})`;
  const found = await client.send(new GetScheduleCommand({ Name })).catch(deletedByHand);
  if (found === undefined) return [{ message: `${purpose} was deleted`, fix: revertDriftOf(stack) }];
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
    { message: `${purpose} is disabled`, repair: { does: 'enable it', run: () => client.send(update) } },
  ];
}
